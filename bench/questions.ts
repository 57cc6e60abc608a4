import { chatbots, keysPerProject, type Layout, projects } from './people.ts';

export const questions = ['contact, Zipf', 'contact, uniform', 'members'] as const;
export type Question = (typeof questions)[number];

/** Lua for wrk: a random request of this kind, each with a key of the project. The tokens are ordered by project. */
export function requestsFor(
  question: Question,
  tokens: readonly string[],
  contacts: number,
  layout: Layout = { projects, chatbots },
): string {
  return `
local tokens = { ${tokens.map((token) => `'${token}'`).join(', ')} }
function init() math.randomseed(os.time()) end
function request()
  ${question === 'members' ? members : contactOf(numbers[question](contacts), layout)}
end`;
}

/** The same request over and over. */
export function requestsTo(path: string, token: string): string {
  return `
wrk.headers['Authorization'] = 'Bearer ${token}'
function request() return wrk.format('GET', '${path}') end`;
}

const members = `wrk.headers['Authorization'] = 'Bearer ' .. tokens[math.random(1, #tokens)]
  return wrk.format('GET', '/v2/members')`;

function contactOf(number: string, layout: Layout): string {
  return `local i = ${number}
  wrk.headers['Authorization'] = 'Bearer ' .. tokens[(i % ${layout.projects}) * ${keysPerProject} + math.random(1, ${keysPerProject})]
  return wrk.format('GET', string.format('/v2/chatbots/%d/contacts/%.0f', i % ${layout.chatbots}, (i * 740737387) % 4294967296))`;
}

const numbers = {
  'contact, uniform': (contacts: number) => `math.random(1, ${contacts})`,
  'contact, Zipf': zipf,
};

/**
 * Zipf with s = 1 by the inverse of its distribution as if ranks were continuous: exact for the first rank, within
 * 2 % for the second, nearer from there on. A prime spreads the ranks over the contacts.
 */
function zipf(contacts: number): string {
  const first = 1.5 / Math.E;
  const rank = `math.floor(${first} * math.exp(math.random() * ${Math.log((contacts + 0.5) / first)}) + 0.5)`;
  return `(${rank} * 15485863) % ${contacts} + 1`;
}
