import type { Asked } from '../parts/api.ts';
import type { FieldFailure } from '../parts/failure-bodies.ts';
import type { MergeAsked } from './merging.ts';
import type { Include, Properties } from './person.ts';
import { bodyOf, type Search } from './search-model.ts';

export interface Match {
  id?: string;
  email?: string;
  external_id?: string;
}

export interface Item {
  op: 'create' | 'update' | 'upsert' | 'delete';
  id?: string;
  match?: Match;
  properties?: Properties;
}

/** What somebody does with the contacts of a chatbot. */
export type Operation =
  | { kind: 'create'; properties: Properties }
  | { kind: 'update'; id: string; properties: Properties; include: readonly Include[] }
  | { kind: 'upsert'; match: Match; properties?: Properties; include: readonly Include[] }
  | { kind: 'delete'; id: string; purge: boolean }
  | { kind: 'restore'; id: string; include: readonly Include[] }
  | { kind: 'bulk'; items: readonly Item[] }
  | ({ kind: 'merge'; include: readonly Include[] } & MergeAsked)
  | { kind: 'undo'; id: string; include: readonly Include[] }
  | { kind: 'erase'; ids: readonly string[]; reference?: string; isDry: boolean }
  | { kind: 'retrieve'; id: string; include: readonly Include[] }
  | { kind: 'lookup'; by: 'email' | 'phone' | 'external_id'; value: string; include: readonly Include[] }
  | Search
  | { kind: 'list'; page: number; perPage: number; list: List; include: readonly Include[] };

export type List = 'date_desc' | 'date_asc' | 'deleted';

/** Properties that are refused wherever they are written, and what is said of them. */
export const badProperties: readonly (readonly [Properties, FieldFailure])[] = [
  [{ email: 'nobody' }, { field: 'properties.email', code: 'format', message: 'must be an e-mail address' }],
  [
    { name: 'A', nickname: 'B' },
    { field: 'properties.nickname', code: 'unknown', message: 'is not known' },
  ],
  [
    { name: 'A', first_name: 'B' },
    { field: 'properties.name', code: 'not_allowed', message: 'cannot be given with first_name or last_name' },
  ],
  [{ name: 7 }, { field: 'properties.name', code: 'type', message: 'must be a text or null' }],
  [
    { name: 'A', tags: ['a;b'] },
    { field: 'properties.tags[0]', code: 'format', message: 'must be 1 to 40 characters without , ; and |' },
  ],
];

export function objectionTo(properties: Properties | undefined): FieldFailure | undefined {
  return badProperties.find(([bad]) => bad === properties)?.[1];
}

/** Whether it may have an idempotency key. */
export function isRepeatable(operation: Operation): boolean {
  const { kind } = operation;
  if ('isDry' in operation && operation.isDry) return false;
  return kind !== 'retrieve' && kind !== 'lookup' && kind !== 'search' && kind !== 'list';
}

/** The request of an operation. */
export function requestOf(chatbotId: string, operation: Operation): Asked {
  const contacts = `/v2/chatbots/${chatbotId}/contacts`;
  const include = 'include' in operation && operation.include.length > 0 ? `include=${operation.include.join()}` : '';
  const query = include === '' ? '' : `?${include}`;
  switch (operation.kind) {
    case 'create':
      return { method: 'POST', path: contacts, body: JSON.stringify({ properties: operation.properties }) };
    case 'update': {
      const { id, properties } = operation;
      return { method: 'PATCH', path: `${contacts}/${id}${query}`, body: JSON.stringify({ properties }) };
    }
    case 'upsert': {
      const { match, properties } = operation;
      return { method: 'POST', path: `${contacts}/upsert${query}`, body: JSON.stringify({ match, properties }) };
    }
    case 'delete':
      return { method: 'DELETE', path: `${contacts}/${operation.id}${operation.purge ? '?purge=true' : ''}` };
    case 'restore':
      return { method: 'POST', path: `${contacts}/${operation.id}/restore${query}` };
    case 'bulk':
      return { method: 'POST', path: `${contacts}/bulk`, body: JSON.stringify({ items: operation.items }) };
    case 'merge': {
      const { id, from, keep, isDry } = operation;
      const parts = [...(isDry ? ['dry_run=true'] : []), ...(include === '' ? [] : [include])];
      const body = JSON.stringify({ from, ...(Object.keys(keep).length > 0 && { keep }) });
      return { method: 'POST', path: `${contacts}/${id}/merge${parts.length > 0 ? `?${parts.join('&')}` : ''}`, body };
    }
    case 'undo':
      return { method: 'POST', path: `/v2/chatbots/${chatbotId}/merges/${operation.id}/undo${query}` };
    case 'erase': {
      const { ids, reference, isDry } = operation;
      const places = ids.map((id) => ({ chatbot_id: chatbotId, id }));
      const body = JSON.stringify({ contacts: [...places, { chatbot_id: 'none', id: 'none' }], reference });
      return { method: 'POST', path: `/v2/contacts/erase${isDry ? '?dry_run=true' : ''}`, body };
    }
    case 'retrieve':
      return { method: 'GET', path: `${contacts}/${operation.id}${query}` };
    case 'lookup':
      return {
        method: 'POST',
        path: `${contacts}/lookup${query}`,
        body: JSON.stringify({ [operation.by]: operation.value }),
      };
    case 'search': {
      const path = operation.isOfProject ? '/v2/contacts/search' : `${contacts}/search`;
      return { method: 'POST', path: path + query, body: bodyOf(operation, [chatbotId]) };
    }
    case 'list': {
      const { page, perPage, list } = operation;
      const which = list === 'deleted' ? 'state=deleted' : `sort=${list}`;
      const parts = [which, `page=${page}`, `per_page=${perPage}`, ...(include === '' ? [] : [include])];
      return { method: 'GET', path: `${contacts}?${parts.join('&')}` };
    }
  }
}
