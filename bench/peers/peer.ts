import type { Contact } from '../../src/contacts/contact.ts';

/** Made-up contacts, numbered from 1 to `count`. */
export interface People {
  count: number;
  contact(i: number): Contact;
}

/** What an operator would otherwise put in front of a table of contacts, installed, filled and serving. */
export interface Peer extends AsyncDisposable {
  name: string;
  version: string;
  /** The version of the Node that it runs on: the newest that it can be installed and is supported on. */
  node: string;
  /** All packages that it installs, without its Node and without what a compiler left behind. */
  installedBytes: number;
  /** From the start of its process, with the contacts in their table, to the first contact answered. */
  secondsToFirstAnswer: number;
  address: string;
  /** The path of contact number `i` below the address. */
  path(i: number): string;
  /** What a request must carry to be answered. */
  headers: Record<string, string>;
  /** The contact in the body of an answer, its eight fields alone. */
  contactIn(body: unknown): unknown;
  /** Its process and that one's own, now; a database server beside it is not among them. */
  pids(): number[];
  residentBytes(): number;
}

export interface PeerPlace {
  /** Where it is installed, once, and its data are made anew at each start; made when missing. */
  folder: string;
  people: People;
  /** The core that its process is held to, where given (by taskset). */
  core?: number | undefined;
}
