import { spawnRoster, stop } from '../../test/support/program.ts';

export interface Demo {
  address: string;
  token: string;
  chatbot_id: string;
  contact_id: string;
}

/** Starts the built demo; stops it, when disposed of, as an operator would. */
export async function startDemo(env: Record<string, string> = {}): Promise<Demo & AsyncDisposable> {
  const running = spawnRoster(['demo', '--json'], { env });
  const [line] = await running.until(/^\{.*\}$/m);
  return { ...(JSON.parse(line) as Demo), [Symbol.asyncDispose]: async () => void (await stop(running)) };
}
