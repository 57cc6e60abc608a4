/** Writes docs/demo.svg: what `dist/main.js demo` prints, and what the calls that it prints answer. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const columns = 100;
const answerRowsMax = 4;
const fontSize = 13;
const rowHeight = 19;
const columnWidth = 0.605 * fontSize;
const padding = 18;
const stepSeconds = 1.5;
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

interface Row {
  text: string;
  isTyped?: boolean;
}

/** The screens of a session: each is shown a moment after the one before. */
async function record(): Promise<Row[][]> {
  const demo = spawn(program, ['demo'], {
    env: { PATH: process.env['PATH'], PORT: '0', COLUMNS: String(columns), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let greeting = '';
    for await (const chunk of demo.stdout.setEncoding('utf8')) {
      greeting += String(chunk);
      if (greeting.includes('Ctrl-C')) break;
    }
    const calls = greeting.match(/curl (?:.*\\\n)*.*/g) ?? [];
    if (calls.length !== 4) throw new Error(`The demo printed ${calls.length} calls, and not four`);
    const screens = [[...typed('./roster demo'), ...greeting.trimEnd().split('\n').map(printed)]];
    for (const call of calls) {
      const answer = execFileSync('/bin/sh', ['-c', `${call} --silent --show-error`], { encoding: 'utf8' });
      screens.push([printed(''), ...typed(call), printed(answer)]);
    }
    const stable = stableValues(greeting);
    return screens.map((rows) => rows.flatMap((row) => wrap({ ...row, text: stable(row.text) })));
  } finally {
    demo.kill();
    await once(demo, 'exit');
  }
}

const typed = (text: string): Row[] => `$ ${text}`.split('\n').map((line) => ({ text: line, isTyped: true }));
const printed = (text: string): Row => ({ text });

/** Replaces what differs from run to run. The key is made up: its checksum is wrong. */
function stableValues(greeting: string): (text: string) => string {
  const pairs: [RegExp, string][] = [
    [/http:\/\/[\d.]+:\d+/, 'http://127.0.0.1:8080'],
    [/rst_\w{36}/, `rst_${'MadeUpForThisPicture'.padEnd(36, '0')}`],
    [
      /http:\/\/localhost:\d+\/sign-in#\w{30}/,
      `http://localhost:8080/sign-in#${'MadeUpForThisPicture'.padEnd(30, '0')}`,
    ],
  ];
  const values = pairs.map(([pattern, value]) => [pattern.exec(greeting)?.[0] ?? '', value] as const);
  return (text) =>
    values
      .reduce((rest, [from, to]) => rest.replaceAll(from, to), text)
      .replace(/"id":"[\da-f]{8}-[\da-f]{4}-7[^"]*"/, '"id":"019aaaaa-0000-7000-8000-000000000000"');
}

/** As a terminal of this width does; a long answer is cut. */
function wrap({ text, isTyped }: Row): Row[] {
  const rows = text.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''];
  const shown = rows.length > answerRowsMax ? [...rows.slice(0, answerRowsMax), '…'] : rows;
  return shown.map((row) => ({ text: row, isTyped: isTyped === true }));
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function render(screens: Row[][]): string {
  const width = Math.ceil(columns * columnWidth) + 2 * padding;
  const height = screens.flat().length * rowHeight + 2 * padding;
  let y = padding;
  const line = ({ text, isTyped }: Row) => {
    y += rowHeight;
    const kind = isTyped ? ' class="typed"' : '';
    return text === '' ? '' : `<text x="${padding}" y="${y}"${kind}>${escaped(text)}</text>\n`;
  };
  const groups = screens.map(
    (rows, index) => `<g style="animation-delay:${index * stepSeconds}s">\n${rows.map(line).join('')}</g>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" xml:space="preserve">
<title>./roster demo prints a key and four calls; all are answered</title>
<style>
text { font: ${fontSize}px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; fill: #1f2328; }
.typed { font-weight: 600; fill: #0550ae; }
rect { fill: #f6f8fa; stroke: #d0d7de; }
@media (prefers-color-scheme: dark) {
  text { fill: #d1d7e0; }
  .typed { fill: #79c0ff; }
  rect { fill: #151b23; stroke: #3d444d; }
}
@media (prefers-reduced-motion: no-preference) {
  g { animation: show 0.2s both; }
}
@keyframes show { from { opacity: 0; } }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${groups.join('')}</svg>
`;
}

writeFileSync(new URL('../docs/demo.svg', import.meta.url), render(await record()));
