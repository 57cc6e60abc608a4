import type { Command } from 'commander';

import { readConfig } from '../config.ts';
import { note, printResult } from './output.ts';
import { examples, jsonOption } from './parts.ts';

export function demoCommand(parent: Command): void {
  parent
    .command('demo')
    .description('serve a throw-away database with made-up people until Ctrl-C')
    .addOption(jsonOption())
    .addHelpText('after', examples('roster demo', 'PORT=9000 roster demo'))
    .action(async (options: { json?: boolean }) => {
      const config = readConfig(process.env);
      // Loaded here and not above: the help of all commands should not wait for a server.
      const { openDemo } = await import('./demo-server.ts');
      await using demo = await openDemo(config);
      printResult(demo.result, options, () => greeting(demo.result));
      await demo.stopped;
      note('Stopping; the made-up people are deleted.');
    });
}

function greeting({
  address,
  docs,
  token,
  curl,
}: {
  address: string;
  docs: string;
  token: string;
  curl: string[];
}): string {
  return `
Roster serves made-up people at ${address}

  API key  ${token}
  Docs     ${docs}

Paste one of these into another terminal:

  ${curl.join('\n\n  ')}

Ctrl-C stops it and deletes everything.
`;
}
