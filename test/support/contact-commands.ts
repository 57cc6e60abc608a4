import { scopes } from '../../src/rights.ts';
import { aContact } from './people.ts';
import { anInstallation, aProjectThere, type Installation } from './process.ts';

type View = Record<string, unknown> & { id: string };
export interface Page {
  next_cursor: string | null;
  contacts: View[];
}

export const chatbotId = '8839210412';
export const here = ['--chatbot', chatbotId];

/** A project with a chatbot and these contacts. */
export async function aDesk(...contacts: Parameters<typeof aContact>[0][]) {
  const at = await anInstallation();
  const { token } = await aProjectThere(at, { scopes: [...scopes], contacts: contacts.map(aContact) });
  return { at, token, ...waysToAsk(at) };
}

function waysToAsk(at: Installation) {
  const words = (command: string, more: string[]) => ['contacts', command, ...more, ...here];
  return {
    run: (command: string, ...more: string[]) => at.run(words(command, more)),
    json: <T = View>(command: string, ...more: string[]) => at.json<T>(words(command, more)),
    /** With something on stdin. */
    fed: <T = View>(input: string, command: string, ...more: string[]) => at.json<T>(words(command, more), { input }),
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}
