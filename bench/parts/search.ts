import { type Bench, type Engine, engines, search, type Setting } from '../bench.ts';
import { connectTo } from '../load/client.ts';
import { type Person, personOf } from '../people.ts';
import { startRoster } from '../processes.ts';

export interface SearchFigures {
  engine: Engine;
  what: string;
  /** In milliseconds, one search after the other. */
  p50: number;
  p99: number;
}

/** What is asked, of people who are there. */
const kinds: Record<string, (person: Person) => string> = {
  'one letter': ({ first }) => first.slice(0, 1),
  'a beginning': ({ last }) => last.slice(0, 4),
  'one word': ({ first }) => first,
  'two words': ({ first, last }) => `${first.slice(0, 3)} ${last.slice(0, 3)}`,
  'a frequent word': ({ job_title: title }) => title,
  'a phone number': ({ phone }) => phone.slice(-7),
  'an e-mail': ({ email }) => email,
};

/** Milliseconds of a search over HTTP in the project that has all the people. */
export async function measureSearch(bench: Bench): Promise<SearchFigures[]> {
  const figures: SearchFigures[] = [];
  for (const engine of engines) {
    const setting = await bench.setting(engine);
    await using server = await startRoster(setting.url);
    using connection = await connectTo(server.address);
    for (const [what, queryOf] of Object.entries(kinds)) {
      bench.say(`search on ${engine}: ${what}`);
      const times: number[] = [];
      for (let n = 0; n < bench.size.searches; n++) {
        const request = requestOf(queryOf(personOf(1 + ((n * 7_919) % setting.people))), setting);
        const start = performance.now();
        const answer = await connection.exchange(request);
        times.push(performance.now() - start);
        if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`a search failed: ${answer.slice(0, 300)}`);
      }
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
      figures.push({ engine, what, p50: at(0.5), p99: at(0.99) });
    }
  }
  return figures;
}

function requestOf(query: string, { tokens }: Setting): string {
  const body = JSON.stringify({ query });
  const head = `POST ${search.path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${tokens[0]}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
