import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { sqlitePath } from '../../src/database/open-store.ts';
import { damageOf } from '../../src/database/upkeep/backup.ts';
import { engines } from '../support/engines.ts';
import { aContact, aProject, storeContacts } from '../support/people.ts';

/** As Litestream does, reads an old state nearly all the time, and makes every kind of checkpoint in between. */
const replicator = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1], { timeout: 1000 });
  const step = (times) => {
    db.exec('begin; select count(*) from contacts');
    setTimeout(() => {
      db.exec('rollback');
      db.exec('pragma wal_checkpoint(' + ['passive', 'restart', 'truncate'][times % 3] + ')');
      if (times === 20) console.log('often');
      setImmediate(step, times + 1);
    }, 15);
  };
  step(0);`;

it('a service loses nothing beside a program that reads and makes checkpoints all the time', async () => {
  await using opened = await engines[0].open();
  const path = sqlitePath(opened.url) ?? '';
  const store = await opened.another();
  const { projectId, chatbotId } = await aProject(store);
  const other = spawn(process.execPath, ['--eval', replicator, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const often = new AbortController();
  other.stdout.once('data', () => often.abort());
  let stored = 0;
  try {
    while (!often.signal.aborted && other.exitCode === null) {
      await storeContacts(store, projectId, chatbotId, [aContact({ id: `contact-${stored}` })]);
      stored++;
      await pause(1);
    }
    expect(often.signal.aborted).toBe(true);
  } finally {
    const ended = once(other, 'exit');
    other.kill('SIGKILL');
    await ended;
  }
  using copy = new DatabaseSync(path, { readOnly: true });
  expect(copy.prepare('select count(*) as total from contacts').get()).toEqual({ total: stored });
  expect(await damageOf(opened.database)).toBe('none');
});
