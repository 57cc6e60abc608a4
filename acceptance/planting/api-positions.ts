import { readFileSync } from 'node:fs';

import { withoutReferences } from '../../scripts/openapi-components.ts';
import type { Position } from './positions.ts';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { example: Readonly<Record<string, unknown>> }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const document = withoutReferences(
  JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document,
);
const known: Readonly<Record<string, string>> = { chatbotId: 'desk', contactId: 'contact-1' };

/** What a name, a tag, an e-mail or a header may hold, with the plant in it. */
const asName = (plant: string) => `a${plant.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`.slice(0, 40);
const asTag = (plant: string) => plant.replaceAll(/[,;|]/g, '-').slice(0, 40);
const asHeader = (plant: string) => plant.replaceAll(/[^\x21-\x7e]|"/g, '-');

/** Values that are stored, by the name of their key; every other key keeps the value of the example. */
const fitting: Readonly<Record<string, (plant: string) => unknown>> = {
  name: (plant) => plant,
  query: (plant) => plant,
  reference: (plant) => plant,
  tag: asTag,
  where: (plant) => [
    { field: 'company', is: plant },
    { field: `attributes.${asName(plant)}`, known: true },
  ],
  from: (plant) => [plant.slice(0, 60)],
  contacts: (plant) => [{ chatbot_id: 'desk', id: plant.slice(0, 60) }],
  contact_ids: (plant) => [plant.slice(0, 60), 'x'],
  email: (plant) => `${asName(plant)}@example.com`,
  match: (plant) => ({ external_id: plant }),
  description: (plant) => plant,
  chatbot_ids: () => ['desk'],
  url: (plant) => `https://user:${encodeURIComponent(plant)}@10.0.0.1/${encodeURIComponent(plant)}`,
  properties: (plant) => ({
    first_name: plant,
    last_name: plant,
    phone: plant,
    company: plant,
    tags: [asTag(plant)],
    attributes: { [asName(plant)]: plant },
  }),
  items: (plant) => [
    { op: 'create', properties: { name: plant, external_id: plant, [plant]: plant } },
    { op: 'upsert', match: { external_id: `bulk ${plant}` }, properties: { name: plant } },
  ],
};

/** The plant in place of every text, and as a name more. */
function everywhere(value: unknown, plant: string): unknown {
  if (typeof value === 'string') return plant;
  if (Array.isArray(value)) return value.map((one) => everywhere(one, plant));
  if (typeof value !== 'object' || value === null) return value;
  const planted = Object.entries(value).map(([key, one]) => [key, everywhere(one, plant)] as const);
  return { ...Object.fromEntries(planted), [plant]: plant };
}

function fitted(example: Readonly<Record<string, unknown>>, plant: string): object {
  return Object.fromEntries(Object.entries(example).map(([key, one]) => [key, fitting[key]?.(plant) ?? one]));
}

/** Every place of every operation: each name in its path, its query, its headers and its body, refused and stored. */
export const apiPositions: Readonly<Record<string, Position>> = Object.fromEntries(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => positionsOf(path, method.toUpperCase(), operation)),
  ),
);

function positionsOf(path: string, method: string, { operationId, parameters = [], requestBody }: Operation) {
  const example = requestBody && Object.values(requestBody.content)[0]?.example;
  const named = (kind: string) => parameters.filter((one) => one.in === kind).map(({ name }) => name);
  const target = (plant: string, planted?: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === planted ? encodeURIComponent(plant) : (known[name] ?? 'none'),
    );
  const asked =
    (url: (plant: string) => string, body?: (plant: string) => unknown, line?: (plant: string) => string): Position =>
    (plant, { token }) => {
      const text = body ? JSON.stringify(body(plant)) : '';
      const length = `Content-Length: ${Buffer.byteLength(text)}`;
      return [
        `${method} ${url(plant)} HTTP/1.1`,
        'Host: roster.test',
        `Authorization: Bearer ${token}`,
        ...(body ? ['Content-Type: application/json', length] : []),
        ...(line ? [line(plant)] : []),
        'Connection: close',
        ...(body ? ['', text] : []),
      ];
    };
  const good = example && ((plant: string) => fitted(example, plant));
  const query = named('query');
  const all: Record<string, Position> = {};
  for (const name of named('path')) all[name] = asked((plant) => target(plant, name), good);
  if (query.length > 0)
    all['query'] = asked(
      (plant) => `${target(plant)}?${query.map((name) => `${name}=${encodeURIComponent(plant)}`).join('&')}`,
      good,
    );
  for (const name of good ? named('header') : [])
    all[name] = asked(target, good, (plant) => `${name}: "${asHeader(plant)}"`);
  if (example) all['body'] = asked(target, (plant) => everywhere(example, plant));
  if (good) all['good'] = asked(target, good);
  return Object.entries(all).map(([name, position]) => [`${operationId} ${name}`, position] as const);
}
