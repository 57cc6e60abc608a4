#!/usr/bin/env -S node --max-semi-space-size=16
// A young generation as large as V8 lets it become is no faster. With half of this a process took 40 MB less beside ten
// thousand idle connections, and gave a fifth fewer good answers under a flood on PostgreSQL: they were old before they left.
// Databases, backups and rejects hold personal data: nobody but their owner reads what is created here.
process.umask(0o077);
// Loaded only by a Node that can load it: an older one has no SQLite, and should say so in a sentence.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 15)) {
  const { run } = await import('./cli/index.ts');
  process.exitCode = (await run(process.argv.slice(2))) || (process.exitCode ?? 0);
} else {
  process.stderr.write(
    `roster: Node 24.15 or later is needed, and this is ${process.versions.node}; install it, or run "npx roster" in a checkout after "npm ci", which brings its own.\n`,
  );
  process.exitCode = 69;
}
