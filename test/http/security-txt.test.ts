import { expect, it } from 'vitest';

import { openApp } from '../support/app.ts';

it('security.txt names the contact of the setting, until a day to come, and is not there without one', async () => {
  await using named = await openApp({ securityContact: 'mailto:security@example.com' });
  const answer = await named.ask({ url: '/.well-known/security.txt' });
  expect(answer.status).toBe(200);
  const [, expires = ''] = /^Contact: mailto:security@example\.com\nExpires: (\S+)\n/.exec(answer.body) ?? [];
  expect(Date.parse(expires)).toBeGreaterThan(Date.now());
  await using unnamed = await openApp();
  expect((await unnamed.ask({ url: '/.well-known/security.txt' })).status).toBe(404);
});
