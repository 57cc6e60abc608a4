import { setTimeout as sleep } from 'node:timers/promises';

import { openAsker } from '../../test/support/asker.ts';
import { type Installation, populate } from '../installation.ts';
import { serveTraced } from './traced-service.ts';

const unreadyWithinMs = 10_000;

/** A service that cannot sync the note of a key's last use: it answers on, is not ready, and says why. */
export async function failSyncOfService(at: Installation): Promise<string[]> {
  const { token } = await populate(at, 10);
  const { address, stop } = await serveTraced(at, 'fsync,fdatasync', 'error=EIO');
  const wrong = await objectionsTo(address, token);
  const { code, stdout } = await stop();
  if (code !== 0) wrong.push(`a service whose sync failed ended with ${code}`);
  if (!stdout.includes('fsync failed')) wrong.push('a service whose sync failed does not log it');
  const again = await at.serve();
  const { status } = await fetch(`${again.address}/readyz`);
  if (status !== 200) wrong.push(`started again, it answers ${status} to /readyz`);
  return wrong;
}

async function objectionsTo(address: string, token: string): Promise<string[]> {
  using asker = openAsker(address);
  const read = async (index: number) => (await asker.get(`/v2/chatbots/shop/contacts/contact-${index}`, token)).status;
  const statuses = new Set([await read(0)]);
  const since = performance.now();
  while ((await asker.get('/readyz', token)).status !== 503) {
    if (performance.now() - since > unreadyWithinMs) return ['a service whose sync failed stays ready'];
    await sleep(20);
  }
  for (let index = 0; index < 10; index++) statuses.add(await read(index));
  return statuses.size === 1 && statuses.has(200)
    ? []
    : [`a service whose sync failed answers with ${[...statuses].join()}`];
}
