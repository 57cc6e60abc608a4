import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { aChatling, type Fake, type FakeContact, type FakeState } from './chatling.ts';
import { anInstallation, type Installation } from './process.ts';

export interface Report {
  look_known: string[];
  chatbots: Record<string, number>;
  contacts: Record<string, number>;
  members: Record<string, number>;
  requests: number;
  rejects_file: string | null;
}

export interface Comparison {
  equal: boolean;
  project: { different: string[] };
  chatbots: {
    id: string;
    found: string;
    fields: string[];
    read: number;
    missing: string[];
    extra: string[];
    different: { id: string; fields: string[] }[];
    more: Record<string, number>;
  }[];
  members: { missing: string[]; extra: string[]; different: { id: string; fields: string[] }[] };
}

type FromSource = Pick<Fake, 'baseUrl' | 'key'>;

/** A migrated installation, and a source that holds this. */
export async function aMove(source: Partial<FakeState>) {
  const undo = new AsyncDisposableStack();
  const at = undo.use(await anInstallation());
  await at.json(['migrate']);
  const fake = undo.use(await aChatling(source));
  return { at, fake, [Symbol.asyncDispose]: () => undo.disposeAsync() };
}

/** The options of both commands: from this source into `acme`, as fast as it goes. */
export function fromSource(at: Installation, { baseUrl, key }: FromSource, rate = '60000'): string[] {
  const file = join(at.folder, 'chatling-key.txt');
  writeFileSync(file, `${key}\n`);
  return ['--project', 'acme', '--key-file', file, '--base-url', baseUrl, '--rate', rate];
}

export function importing(at: Installation, fake: FromSource, ...more: string[]): Promise<Report> {
  return at.json<Report>(['import', 'chatling', ...fromSource(at, fake), ...more]);
}

/** What a comparison finds, whether the sides are equal or not. */
export async function comparing(at: Installation, fake: FromSource): Promise<Comparison> {
  const { stdout, stderr, code } = await at.run(['compare', 'chatling', ...fromSource(at, fake), '--json']);
  if (stdout === '') throw new Error(`the comparison ended with ${code}: ${stderr}`);
  const comparison = JSON.parse(stdout) as Comparison;
  if (comparison.equal !== (code === 0)) throw new Error(`equal is ${comparison.equal}, and the exit code ${code}`);
  return comparison;
}

/** The contacts of a chatbot of the fake, to be changed by a test. */
export function contactsOf(fake: Fake, place = 0): FakeContact[] {
  return fake.chatbots[place]?.contacts as FakeContact[];
}
