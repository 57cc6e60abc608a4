import { setTimeout as pause } from 'node:timers/promises';

import { type Bench, chatbot, type Engine, engines, medianOf, type Setting, write } from '../bench.ts';
import { ask, connectTo } from '../load/client.ts';
import { idOf } from '../people.ts';
import { startRoster } from '../processes.ts';

export interface RecoveryFigures {
  engine: Engine;
  kills: number;
  /** From the start of the next process to its first contact. */
  ms: number;
  slowestMs: number;
  acknowledged: number;
  lost: number;
}

const connections = 64;

/** Kills the service while it acknowledges creates, starts it again and looks for each of them. */
export async function measureRecovery(bench: Bench): Promise<RecoveryFigures[]> {
  const figures: RecoveryFigures[] = [];
  for (const engine of engines) {
    const setting = await bench.setting(engine);
    const rounds: Awaited<ReturnType<typeof killed>>[] = [];
    for (let round = 1; round <= bench.size.rounds; round++) {
      bench.say(`kill -9 on ${engine}: round ${round} of ${bench.size.rounds}`);
      rounds.push(await killed(setting, bench.size.seconds));
    }
    const sum = (of: 'acknowledged' | 'lost') => rounds.reduce((total, one) => total + one[of], 0);
    const ms = medianOf(rounds, (one) => one.ms);
    const slowestMs = Math.max(...rounds.map((one) => one.ms));
    figures.push({ engine, kills: rounds.length, ms, slowestMs, acknowledged: sum('acknowledged'), lost: sum('lost') });
  }
  return figures;
}

async function killed({ url, tokens, people }: Setting, seconds: number) {
  const [token = ''] = tokens;
  const ids: string[] = [];
  const server = await startRoster(url);
  const load = { address: server.address, connections, seconds: seconds + 60, ...write, tokens: [token], people };
  const isCut = ask(load, (answer) => ids.push(/"id":"([^"]+)"/.exec(answer)?.[1] ?? '')).then(
    () => false,
    () => true,
  );
  await pause(seconds * 1_000);
  // A busy machine may need longer for the first answers.
  while (ids.length < connections && (await Promise.race([isCut, pause(10)])) === undefined);
  await server.kill();
  if (!(await isCut) || ids.length === 0) throw new Error('the service was killed while it did nothing');
  await using again = await startRoster(url, { ready: `/v2/chatbots/${chatbot}/contacts/${idOf(1)}`, token });
  return { ms: again.startMs, acknowledged: ids.length, lost: await lostOf(again.address, token, ids) };
}

async function lostOf(address: string, token: string, ids: readonly string[]): Promise<number> {
  using connection = await connectTo(address);
  let lost = 0;
  for (const id of ids) {
    const path = `/v2/chatbots/${chatbot}/contacts/${id}`;
    const answer = await connection.exchange(
      `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`,
    );
    if (!answer.startsWith('HTTP/1.1 200')) lost++;
  }
  return lost;
}
