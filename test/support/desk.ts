import { fileURLToPath } from 'node:url';

import type { StoredContact } from '../../src/contacts/contact.ts';
import type { Account } from '../../src/files/account.ts';
import type { TalliedMessage } from '../../src/files/tally.ts';
import { scopes } from '../../src/rights.ts';
import { aContact } from './people.ts';
import { anInstallation, aProjectThere, type Installation } from './process.ts';

/** A file of test/data. */
export const data = (file: string) => fileURLToPath(new URL(`../data/${file}`, import.meta.url));
export const officials = data('legislators-current.csv');
export const chatbotId = '8839210412';
export const toDesk = ['--chatbot', chatbotId];

interface Imported {
  code: number | null;
  /** What --json prints; undefined where it was refused. */
  report: Report | undefined;
  stderr: string;
}

export interface Desk extends Installation {
  token: string;
  /** Imports a text into the chatbot. */
  take(input: string, ...options: string[]): Promise<Imported>;
  everybody(): Promise<StoredContact[]>;
}

/** An installation with the chatbot of `toDesk`. */
export async function withDesk(): Promise<Desk> {
  const at = await anInstallation();
  const { token } = await aProjectThere(at);
  return {
    ...at,
    token,
    take: async (input, ...options) => {
      const args = ['contacts', 'import', '-', ...toDesk, '--json', ...options];
      const { code, stdout, stderr } = await at.run(args, { input });
      return { code, report: stdout === '' ? undefined : (JSON.parse(stdout) as Report), stderr };
    },
    everybody: () => at.json(['contacts', 'export', ...toDesk]),
  };
}

type View = Record<string, unknown> & { id: string };
export interface Page {
  next_cursor: string | null;
  contacts: View[];
}

/** An installation with these contacts in the chatbot of `toDesk`, and the commands about contacts there. */
export async function aDesk(...contacts: Parameters<typeof aContact>[0][]) {
  const at = await anInstallation();
  const { token } = await aProjectThere(at, { scopes: [...scopes], contacts: contacts.map(aContact) });
  const words = (command: string, more: string[]) => ['contacts', command, ...more, ...toDesk];
  return {
    at,
    token,
    run: (command: string, ...more: string[]) => at.run(words(command, more)),
    json: <T = View>(command: string, ...more: string[]) => at.json<T>(words(command, more)),
    /** With something on stdin. */
    fed: <T = View>(input: string, command: string, ...more: string[]) => at.json<T>(words(command, more), { input }),
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

type Report = Account & { encoding: string; left_out: TalliedMessage[]; warnings: TalliedMessage[] };

/** The report of an import, 0 where nothing is given. */
export const account = (given: Partial<Report>): Report => ({
  read: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  duplicates: 0,
  rejected: 0,
  rejects_file: null,
  encoding: 'utf-8',
  left_out: [],
  warnings: [],
  ...given,
});
