/**
 * Links the Node that npm brought where npm's scripts look for programs. npm 10, which Node 20 and 22 have, takes its own link
 * away again, as the packages for other machines, which it leaves out, have a `node` too. Runs in any Node.
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
