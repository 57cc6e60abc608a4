import { describe, expect, it } from 'vitest';

import { isHereOnly } from '../src/values/here-only.ts';

const here =
  'localhost:8080 LOCALHOST localhost. roster.localhost 127.0.0.1 127.1 [::1] [0:0::1]:81 [::ffff:127.9.9.9] 0.0.0.0:81 [::]';
const elsewhere =
  'roster.example.com localhost.example.com mylocalhost 127.example.com 127.0.0.1.example.com 10.0.0.1 [::2] [::ffff:10.0.0.1]';

describe('a link works on its machine only', () => {
  it.each(here.split(' '))('at http://%s', (host) => {
    expect(isHereOnly(`http://${host}/sign-in#made-up`)).toBe(true);
  });

  it.each(elsewhere.split(' '))('and not at http://%s', (host) => {
    expect(isHereOnly(`http://${host}/sign-in#made-up`)).toBe(false);
  });
});
