import { type Account, emptyAccount } from '../../../../src/files/account.ts';
import { Observed, useObserved } from '../../observed.ts';
import type { Chatbot } from '../../types.ts';
import { toast } from '../../ui/toast.tsx';
import type { PeopleList } from '../contacts/list.ts';
import { type Choice, firstChoice } from './choice.ts';
import { type Result, runImport } from './run-import.ts';

interface Running {
  dryRun: boolean;
  account: Account;
  /** For how many seconds the import waits before it asks again. */
  waiting?: number | undefined;
  stop: AbortController;
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** The imports into chatbots. An import goes on, and its rejects are kept, while the member looks at other pages. */
export class Desk extends Observed {
  file: File | undefined;
  choice: Choice = firstChoice;
  running: Running | undefined;
  result: Result | undefined;
  readonly chatbotId: string;

  constructor(chatbotId: string) {
    super();
    this.chatbotId = chatbotId;
  }

  take(file: File): void {
    this.file = file;
    this.result = undefined;
    this.choose(firstChoice);
  }

  choose(part: Partial<Choice>): void {
    this.choice = { ...this.choice, ...part };
    this.tell();
  }

  /** Brings columns to a field; to what is found for them if it is empty. */
  map(headings: readonly string[], field: string): void {
    const fields = new Map(this.choice.fields);
    for (const heading of headings) {
      if (field === '') fields.delete(heading);
      else fields.set(heading, field);
    }
    this.choose({ fields });
  }

  stop(): void {
    this.running?.stop.abort();
  }

  async start(chatbot: Chatbot, list: PeopleList, dryRun: boolean): Promise<void> {
    const { file, choice } = this;
    if (!file || this.running) return;
    const stop = new AbortController();
    const show = (next: Partial<Running>) => {
      this.running = { dryRun, account: emptyAccount(), ...this.running, ...next, stop };
      this.tell();
    };
    this.result = undefined;
    show({});
    // The browser asks before the page is left in the middle.
    if (!dryRun) addEventListener('beforeunload', ask);
    const given = { file, choice, chatbotId: chatbot.id, dryRun, signal: stop.signal, show };
    this.result = await runImport(given);
    removeEventListener('beforeunload', ask);
    this.running = undefined;
    if (!dryRun) list.reload();
    if (!this.isWatched) toast(`The import into ${chatbot.name} has finished. See Import.`);
    this.tell();
  }
}

let kept = { of: '', desk: new Desk('') };

/** The chatbot into which this member imports right now. */
export function importingInto(memberId: string): string | undefined {
  return kept.of === memberId && kept.desk.running ? kept.desk.chatbotId : undefined;
}

/** The desk of this member, shown anew with each change; another chatbot begins with an empty one. */
export function useDesk(memberId: string, chatbotId: string): Desk {
  if (kept.of !== memberId || (kept.desk.chatbotId !== chatbotId && !kept.desk.running)) {
    kept.desk.stop();
    kept = { of: memberId, desk: new Desk(chatbotId) };
  }
  return useObserved(kept.desk);
}
