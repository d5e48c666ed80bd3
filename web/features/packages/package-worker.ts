import { checkPackage } from '../../../shared/package/check-package.ts';
import { DEFAULT_PACKAGE_LIMITS } from '../../../shared/package/package.ts';
import type { KnownHosts, WorkerMessage, WorkerRequest } from './package-item.ts';
import { readItems } from './read-items.ts';

const limits = DEFAULT_PACKAGE_LIMITS;

function post(answer: WorkerMessage): void {
  postMessage(answer);
}

async function readOne(file: File, hosts: KnownHosts): Promise<void> {
  const isTooLarge = file.size > limits.fileBytes;
  const bytes = isTooLarge ? new Uint8Array(limits.fileBytes + 1) : new Uint8Array(await file.arrayBuffer());
  post({ kind: 'reading', reading: checkPackage(bytes, { limits, ...(hosts && { hosts }) }) });
}

async function readMany(files: readonly File[], most: number, hosts: KnownHosts): Promise<void> {
  let count = 0;
  for (const [index, file] of files.entries()) {
    const onBytes = (bytes: number): void => post({ kind: 'bytes', bytes });
    for await (const item of readItems(file, { fileIndex: index, limits, hosts, onBytes })) {
      if (count === most) return post({ kind: 'end', isCut: true });
      count += 1;
      post({ kind: 'item', item });
    }
  }
  post({ kind: 'end', isCut: false });
}

addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  const done =
    data.kind === 'one' ? readOne(data.file, data.hosts) : readMany(data.files, data.most, data.hosts);
  done.catch(() => post({ kind: 'failed' }));
});
