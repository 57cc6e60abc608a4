import { noEnvFile } from '../../config/env-file.ts';
import { readConfig } from '../../config/read-config.ts';
import { note, printResult } from '../output.ts';
import { command, settingsAsOptions } from '../parts.ts';

export const demoCommand = command('demo', {
  says: 'serve a throw-away database with made-up people until Ctrl-C',
  examples: ['roster demo', 'PORT=9000 roster demo'],
  settings: ['host', 'port', 'rateLimit', 'projectRateLimit', 'corsOrigins', 'trustProxy'],
  settingsFrom: 'the environment alone',
  options: settingsAsOptions,
  act: async (given) => {
    const config = readConfig(process.env, noEnvFile);
    const { openDemo } = await import('./demo-server.ts');
    await using demo = await openDemo(config);
    printResult(demo.result, given, () => greeting(demo.result));
    await demo.stopped;
    note('Stopping; the made-up people are deleted.');
  },
});

type Greeting = Record<'address' | 'docs' | 'token' | 'console', string> & { curl: string[] };

function greeting({ address, docs, token, curl, console: link }: Greeting) {
  return `
Roster serves made-up people at ${address}

  API key  ${token}
  Docs     ${docs}
  Console  ${link}
           (works once, and expires in fifteen minutes)

Paste one of these into another terminal; two read, one creates, one changes:

  ${curl.map(broken).join('\n\n  ')}

Ctrl-C stops it and deletes everything.
`;
}

function broken(line: string): string {
  return line.includes(' -d ') ? line.replaceAll(/ (?=-d |-H 'Content|http)/g, ' \\\n    ') : line;
}
