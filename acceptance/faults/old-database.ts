import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const initial = new URL('../../migrations/0001-initial.sqlite.sql', import.meta.url);

/** Makes an SQLite file as the first release left it: its schema alone, with people for whom a migration has work. */
export function makeOldDatabase(file: string, people: number): void {
  const db = new DatabaseSync(file);
  const text = readFileSync(initial, 'utf8');
  const at = '2026-01-01T00:00:00+00:00';
  db.exec('pragma journal_mode = wal; pragma foreign_keys = on; begin');
  db.exec(
    'create table schema_migrations (name text not null primary key, checksum text not null, applied_at text not null)',
  );
  db.exec(text);
  db.prepare('insert into schema_migrations values (?, ?, ?)').run('0001-initial', hash('sha256', text, 'hex'), at);
  db.prepare('insert into projects values (?, ?, ?)').run('acme', 'Acme', at);
  db.prepare('insert into chatbots values (?, ?, ?, ?)').run('acme', 'shop', 'Shop', at);
  const member = db.prepare('insert into members values (?, ?, ?, ?, ?, ?)');
  const contact = db.prepare(
    'insert into contacts (project_id, chatbot_id, id, name, created_at) values (?, ?, ?, ?, ?)',
  );
  for (let index = 0; index < people; index++) {
    const email = `member-${index}@example.com`;
    // With gaps, as the first schema allowed them.
    member.run('acme', index * 3 + 1, email, email, 'Active', 'Viewer');
    contact.run('acme', 'shop', `contact-${index}`, `Person ${index}`, at);
  }
  db.exec('commit');
  db.close();
}
