import { describe, expect, it } from 'vitest';

import { knownAnswers, toAnswer } from '../../src/http/arrivals/known-answers.ts';
import { etagOf } from '../../src/http/conditional-requests.ts';

const answerOf = (body: string) => toAnswer(body, etagOf(body));

describe('known answers', () => {
  it('are kept from the second time on, for one project, URL and version', () => {
    const answers = knownAnswers();
    const answer = answerOf('{"name":"Zoë"}');
    answers.learn('acme', '/v2/members', 1, answer);
    expect(answers.find('acme', '/v2/members', 1)).toBeUndefined();
    answers.learn('acme', '/v2/members', 1, answer);
    expect(answers.find('acme', '/v2/members', 1)).toMatchObject(answer);
    expect(answers.find('other', '/v2/members', 1)).toBeUndefined();
    expect(answers.find('acme', '/v2/members?page=1', 1)).toBeUndefined();
    expect(answers.find('acme', '/v2/members', 2)).toBeUndefined();
    expect(answers.find('acme', '/v2/members', 0)).toBeUndefined();
  });

  it('know how many bytes they are, and which of them need transcoding', () => {
    expect(answerOf('{"name":"Zoë"}')).toMatchObject({ bytes: 15, encoding: 'utf8' });
    expect(answerOf('{"name":"Zoe"}')).toMatchObject({ bytes: 14, encoding: 'latin1' });
  });

  it('take no more memory however many are asked for', () => {
    const answers = knownAnswers();
    const body = (i: number) => `${i}:${'x'.repeat(100_000)}`;
    const isKept = (i: number) => answers.find('acme', `/${i}`, 1) !== undefined;
    for (let i = 0; i < 400; i++) {
      for (let time = 0; time < 2; time++) answers.learn('acme', `/${i}`, 1, answerOf(body(i)));
    }
    const kept = Array.from({ length: 400 }, (_, i) => isKept(i)).filter(Boolean).length;
    expect(isKept(399)).toBe(true);
    expect(isKept(0)).toBe(false);
    expect(kept).toBeGreaterThan(100);
    expect(kept * 100_000).toBeLessThan(16 * 1024 * 1024);
  });
});
