import { expect, it } from 'vitest';

import { RosterClient } from '../../clients/typescript/src/index.ts';
import { freePort } from '../support/free-port.ts';
import { anInstallation, aProjectThere, serving } from '../support/process.ts';

const people = 2_000;

it(
  'walks through 2,000 contacts once each while the server is restarted three times',
  { timeout: 60_000 },
  async () => {
    await using at = await anInstallation();
    const { token } = await aProjectThere(at);
    const rows = Array.from({ length: people }, (_, index) => `p${index},Person ${index}\n`);
    await at.json(['contacts', 'import', '-', '--format', 'csv', '--chatbot', '8839210412'], {
      input: `id,name\n${rows.join('')}`,
    });
    const settings = { PORT: String(await freePort()) };
    let server = await serving(at, settings);
    // One of them ends in order, two as by a power cut.
    const signals = new Map<number, NodeJS.Signals>([
      [400, 'SIGTERM'],
      [1_000, 'SIGKILL'],
      [1_600, 'SIGKILL'],
    ]);
    // Short pauses, and many: a busy machine takes its time to start a process.
    const patience = { retries: 200, retryDelayMaxMs: 200 };
    const client = new RosterClient({ baseUrl: `${server.address}/v2`, apiKey: token, ...patience });
    const met: string[] = [];
    const started: Promise<unknown>[] = [];
    for await (const { id } of client.listContacts({ chatbotId: '8839210412' })) {
      met.push(id);
      const signal = signals.get(met.length);
      if (signal === undefined) continue;
      server.child.kill(signal);
      await server.ended;
      // Not awaited: the walk goes on against a port that is closed.
      started.push(serving(at, settings).then((next) => (server = next)));
    }
    expect(started).toHaveLength(3);
    await Promise.all(started);
    expect(met).toHaveLength(people);
    expect(new Set(met).size).toBe(people);
  },
);
