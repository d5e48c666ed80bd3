#!/bin/sh
# Removes from a folder of packages what only their authors and compilers read. Licences stay.
set -eu
packages=$1

find "$packages" -type f \
  \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' -o -name '*.markdown' \
  -o -name '*.a' -o -name '*.h' -o -name '*.cc' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.tsbuildinfo' \) \
  ! -iname '*licen[cs]e*' ! -iname '*notice*' ! -iname '*copying*' -delete
find "$packages" -mindepth 2 -type d \
  \( -name test -o -name tests -o -name __tests__ -o -name benchmark -o -name benchmarks -o -name examples \) \
  -prune -exec rm -rf {} +
# Bundles for browsers and addons of another runtime.
find "$packages" -type f \
  \( -name '*.bare' -o -name '*.bc.js' -o -path '*/@zxcvbn-ts/*/dist/zxcvbn-ts.js' \) -delete
# The same word lists once more, as they were before they were packed.
rm -rf "$packages"/@zxcvbn-ts/*/src
# Tracing packages carry each module three times; Node loads build/src.
for copy in esm esnext; do
  find "$packages" -type d -path "*/@opentelemetry/*/build/$copy" -prune -exec rm -rf {} +
done
find "$packages" -type d -empty -delete
