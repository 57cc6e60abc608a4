import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { sqlitePath } from '../../src/database/open-store.ts';
import { type Place, postgresDatabase, sqliteFile } from './engines.ts';
import { administer } from './postgres.ts';

/** A request of the old program's day, and how it answered. */
export interface Recorded {
  method: string;
  path: string;
  body: object | undefined;
  /** Its Idempotency-Key. */
  key: string | undefined;
  status: number;
  data: unknown;
  cookie?: string | undefined;
}

/** What an old program did and answered before it ended; made by scripts/old-databases.ts. */
export interface Story {
  commit: string;
  token: string;
  revoked: string;
  /** The files that it imported. */
  contacts: string;
  members: string;
  reads: Recorded[];
  repeats: Recorded[];
  invitation?: string | undefined;
  cookie?: string | undefined;
  /** A cursor, the events after it, and the cursor at their end. */
  feed?: { after: string; events: unknown[]; end: string };
}

const folder = new URL('../data/databases/', import.meta.url);
const read = (name: string) => gunzipSync(readFileSync(new URL(`${name}.gz`, folder)));

/** The database that the program of a commit left, in a place of its own, with its story. */
export async function oldDatabase(commit: string, engine: 'sqlite' | 'postgres'): Promise<Place & { story: Story }> {
  const story = (JSON.parse(read(`${commit}.json`).toString()) as Record<typeof engine, Story>)[engine];
  const place = engine === 'sqlite' ? sqliteFile() : await postgresDatabase('template0');
  const whole = read(`${commit}.${engine === 'sqlite' ? 'sqlite' : 'postgres.sql'}`);
  if (engine === 'sqlite') writeFileSync(sqlitePath(place.url) ?? '', whole);
  else await administer(place.url, whole.toString());
  return { ...place, story };
}
