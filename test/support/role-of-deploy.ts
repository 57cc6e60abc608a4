import { readFileSync } from 'node:fs';

/** The statements of deploy/postgres-role.sql, as psql fills in the password. */
export function statementsOfRole(): string[] {
  const text = readFileSync(new URL('../../deploy/postgres-role.sql', import.meta.url), 'utf8');
  return text
    .replace(/^\\getenv password POSTGRES_PASSWORD$/m, '')
    .replaceAll(":'password'", "'made-up'")
    .split(';\n');
}
