/**
 * Links the Node that npm installed into `.bin`, where npm's scripts look for programs. npm 10, which Node 20 and 22 have, removes
 * its own link, because the packages for other platforms, which it skips, have a `node` too. Runs in any Node.
 */
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
const link = `${modules}.bin/node`;
const brought = readdirSync(modules).find(
  (name) => name.startsWith('node-') && existsSync(`${modules}${name}/bin/node`),
);

if (brought !== undefined && !existsSync(link)) {
  rmSync(link, { force: true });
  symlinkSync(`../${brought}/bin/node`, link);
}
