import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded before the program: each disk has as many bytes left as FREE_BYTES says; with 0 no file is given a name, and with
// 'digest' no digest can be synced.
const original = fs.promises.statfs;
const free = Number(process.env['FREE_BYTES']);
fs.promises.statfs = (async (path: string) => Object.assign(await original(path), { bsize: 1, bavail: free })) as never;
if (free === 0) {
  fs.linkSync = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, link'), { code: 'ENOSPC', syscall: 'link' });
  };
}
if (process.env['FREE_BYTES'] === 'digest') {
  const { openSync, fsyncSync } = fs;
  const digests = new Set<number>();
  fs.openSync = (path, ...how) => {
    const descriptor = openSync(path, ...how);
    if (String(path).endsWith('.sha256')) digests.add(descriptor);
    return descriptor;
  };
  fs.fsyncSync = (descriptor) => {
    if (digests.has(descriptor))
      throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' });
    fsyncSync(descriptor);
  };
}
syncBuiltinESMExports();
