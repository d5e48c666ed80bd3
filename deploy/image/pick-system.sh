#!/bin/sh
# pick-system.sh ROOT OWNED: puts into ROOT the files of the Debian packages that the program needs, with the records
# that scanners read (/var/lib/dpkg/status.d), and Node; into OWNED the folders that belong to the program's user.
set -eu
root=$1
owned=$2

# A shell and basic commands are for operators; libraries are those that Node and these commands are linked with.
commands='base-files base-passwd dash coreutils'
owners() {
  for program in "$@"; do ldd "$program"; done |
    awk '/=> \//{print $3}' | sort -u |
    while read -r library; do dpkg-query --search "*/$(basename "$library")"; done |
    sed 's/: .*//' | sort -u
}
packages="$commands libgcc-s1 $(owners /usr/local/bin/node /bin/dash /bin/ls /bin/cp /usr/bin/expr | tr '\n' ' ')"

mkdir -p "$root/usr" "$owned/data"
for folder in bin lib lib64 sbin; do
  [ ! -L "/$folder" ] || { mkdir -p "$root/usr/$folder"; cp -a "/$folder" "$root/$folder"; }
done
mkdir -p "$root/usr/local/bin" "$root/var/lib/dpkg/status.d" "$root/etc"
for package in $packages; do
  dpkg-query --listfiles "$package" |
    grep -v -E '^/usr/share/(man|info|locale|lintian|bug|doc-base)/|^/usr/lib/[^/]*/gconv/' |
    while read -r file; do [ -d "$file" ] && [ ! -L "$file" ] || echo "$file"; done |
    grep -v -E '^/usr/share/doc/.*(changelog|NEWS|README|AUTHORS|THANKS|TODO|\.txt)' |
    { while read -r file; do [ ! -e "$file" ] && [ ! -L "$file" ] || echo ".$file"; done; } |
    tar -C / --no-recursion -cf - -T - | tar -C "$root" --keep-directory-symlink -xf -
  dpkg-query --status "$package" > "$root/var/lib/dpkg/status.d/${package%%:*}"
done
cp -a /etc/passwd /etc/group "$root/etc/"
cp -a /usr/local/bin/node "$root/usr/local/bin/node"
ldconfig -r "$root"
for folder in dev proc sys run root var/tmp tmp; do mkdir -p "$root/$folder"; done
chmod 1777 "$root/tmp" "$root/var/tmp"
