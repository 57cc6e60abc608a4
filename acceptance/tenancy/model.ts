import { historyOf, type History } from './history.ts';

/** A contact as an answer has it, key by key. */
export interface Contact {
  id: string;
  name: string | null;
  email: string | null;
  job_title: string | null;
  phone: string | null;
  website: string | null;
  company: string | null;
  created_at: string;
}

export interface Member {
  email: string;
  status: 'Active' | 'Pending';
  roles: readonly string[];
}

/** Every scope: a key that invites an Admin needs those that it gives. */
export const scopes = [
  'members:read',
  'members:write',
  'contacts:read',
  'contacts:write',
  'chatbots:read',
  'chatbots:write',
  'project:read',
  'project:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
] as const;
export type Scope = (typeof scopes)[number];

export interface Key {
  /** Undefined where it was never issued. */
  id?: string;
  token: string;
  kind: string;
  scopes: readonly Scope[];
  works: History<boolean>;
}

/** One tenant, as it should be. */
export interface Project {
  id: string;
  keys: Key[];
  /** Chatbots by id, and of each its contacts by id; what is not there is null at that time. */
  chatbots: Map<string, Map<string, History<Contact | null>>>;
  /** By chatbot id, the history of all its contacts, in the order in which they were added; null before the chatbot exists. */
  crowds: Map<string, History<readonly Contact[] | null>>;
  /** In which order the contacts were added, by chatbot and id. */
  places: Map<string, number>;
  /** Cursors from the project's own searches, which other projects try to use at the same path. */
  cursors: { path: string; cursor: string }[];
  /** How many contacts it may have, which no other project may. */
  contactsMax: number;
  /** In the order of the answers. */
  members: History<readonly Member[]>;
  /** Of those whose id was told. */
  memberIds: string[];
  /** Of invitations that were not accepted by their link, the address and the token. */
  links: { email: string; token: string }[];
  /** Of its merges. */
  mergeIds: string[];
  webhookIds: string[];
}

export function projectOf(id: string): Project {
  const members = historyOf<readonly Member[]>([]);
  return {
    id,
    keys: [],
    chatbots: new Map(),
    crowds: new Map(),
    places: new Map(),
    cursors: [],
    contactsMax: 10_000 + Number(id.split('-').at(-1)),
    members,
    memberIds: [],
    links: [],
    mergeIds: [],
    webhookIds: [],
  };
}

/** The tag that every contact of the project has. */
export const tagOf = (projectId: string) => `of ${projectId}`;

/** As a contact is placed among those of its project. */
export const placeOf = (chatbotId: string, contactId: string) => JSON.stringify([chatbotId, contactId]);

/** The history of a contact, which begins with its not being there. */
export function contactOf(project: Project, chatbotId: string, contactId: string): History<Contact | null> {
  const { chatbots, places } = project;
  const place = placeOf(chatbotId, contactId);
  if (!places.has(place)) places.set(place, places.size);
  const contacts = chatbots.get(chatbotId) ?? new Map<string, History<Contact | null>>();
  chatbots.set(chatbotId, contacts);
  const history = contacts.get(contactId) ?? historyOf<Contact | null>(null);
  contacts.set(contactId, history);
  return history;
}

// The same in many projects on purpose: nothing but the project tells them apart.
export const chatbotIds = ['1000000001', '1000000002', 'shared', 'bot/1 ü', '..'];
export const contactIds = [
  ...Array.from({ length: 16 }, (_, index) => `c-${index}`),
  'qtr89df0-112d-d197-b541-3f8674663246',
  'ü',
  'a/b?c#d',
  '..',
  '%2e',
  "' or 1=1 --",
  '0',
  '静香',
];
export const roles = ['Owner', 'Admin', 'Editor', 'Analyst', 'Agent', 'Billing', 'Viewer'] as const;
