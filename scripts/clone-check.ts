/**
 * Checks a clone of the last commit on each Node still in use, with its own npm: `npm ci` prints no warning, the demo answers, and
 * the tests find their browser and their PostgreSQL. Takes four minutes and 600 MB.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { spawnProgram } from '../test/support/program.ts';
import { fromNpm } from './support/from-npm.ts';
import { nodeOf, olderNodes } from './support/older-nodes.ts';

const root = join(import.meta.dirname, '..');
const npms: Record<string, string> = { '20': '10.8.2', '22': '10.9.9', '24': '11.19.1', '26': '11.21.2' };
const linesMax = 10;
// Without the variables of the npm that runs this script.
const outside = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE$|INIT_CWD$)/.test(name)),
);
const tests = ['test', '--', '--project', 'SQLite', 'test/client/browser.test.ts', 'test/store/members.test.ts'];

let tried = 0;
for (const version of [...olderNodes, process.versions.node]) {
  const [major = ''] = version.split('.');
  const node = version === process.versions.node ? process.execPath : nodeOf(version);
  const npm = fromNpm('npm', npms[major] ?? '', 'bin/npm-cli.js');
  if (node === undefined || npm === undefined) continue;
  await tryWith(node, npm);
  tried++;
}
console.log(`clone: passed with ${tried} versions of Node`);

async function tryWith(node: string, npm: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-clone-'));
  try {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync(node, join(bin, 'node'));
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec "${node}" "${npm}" "$@"\n`);
    chmodSync(join(bin, 'npm'), 0o755);
    const env = { ...outside, PATH: [bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter) };
    const versions = ['node', 'npm'].map((name) => execFileSync(join(bin, name), ['--version'], { encoding: 'utf8' }));
    const name = versions.map((one) => one.trim()).join(', npm ');
    const clone = join(folder, 'roster');
    execFileSync('git', ['clone', '--quiet', root, clone]);

    const startedAt = performance.now();
    const lines = run('npm', ['ci'], clone, env);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const warnings = lines.filter((line) => /warn/i.test(line));
    if (warnings.length > 0 || lines.length > linesMax) throw new Error(`${name}: npm ci printed ${lines.join('\n')}`);
    const [size = ''] = execFileSync('du', ['-sm', 'node_modules'], { cwd: clone, encoding: 'utf8' }).split('\t');

    const status = await statusOfDemo(clone, env);
    if (status !== 200) throw new Error(`${name}: the demo answered ${status}`);
    run('npm', tests, clone, env);
    console.log(`${name}: ${lines.length} lines, no warning, ${seconds} s, ${size} MB`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function statusOfDemo(cwd: string, env: Record<string, string>): Promise<number> {
  const demo = spawnProgram('npm', ['run', 'demo'], { cwd, env });
  try {
    const [, address = '', token = ''] = await demo.until(/at (http:\S+)\n[^]*API key +(\S+)/);
    return (await fetch(`${address}/v2/members`, { headers: { authorization: `Bearer ${token}` } })).status;
  } finally {
    demo.child.kill('SIGINT');
    await demo.ended;
  }
}

/** The lines that it printed, without empty ones. */
function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): string[] {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
}
