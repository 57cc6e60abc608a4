#!/usr/bin/env -S node --max-semi-space-size=16 --
import { programVersion } from './version.ts';

// Without `--` Node itself would take `--env-file`.
// A semi-space of 8 MB cost a fifth of the good answers in a flood on PostgreSQL, and saved 40 MB with 10,000 idle connections.
// Databases, backups and rejects hold personal data, so only their owner may read them.
process.umask(0o077);
// Imported late, as an older Node cannot load it and must say so in a sentence.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [first, ...more] = process.argv.slice(2);
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `roster: Node 24.15 or later is needed, and this is ${process.versions.node}; install it, or run "npm ci" without --omit=optional in a checkout, which brings a Node for "./roster".\n`,
  );
  process.exitCode = 69;
} else if (first === '--version' && more.length === 0) {
  // Without the argument parser this takes little more than Node's own start.
  process.stdout.write(`${programVersion}\n`);
} else {
  void import('./cli/index.ts').then(async ({ run }) => {
    process.exitCode = (await run(process.argv.slice(2))) || (process.exitCode ?? 0);
  });
}
