interface Value {
  name: string;
  value: number;
}

const width = 760;
const rowHeight = 22;
const nameWidth = 290;
const style = 'font-family="system-ui, sans-serif" font-size="12"';

/** Horizontal bars, as SVG. Readable on a light and on a dark page. */
export function bars(title: string, values: readonly Value[]): string {
  const most = Math.max(...values.map(({ value }) => value));
  const rows = values.map(({ name, value }, index) => {
    const y = 34 + index * rowHeight;
    const length = ((width - nameWidth - 60) * value) / most;
    return [
      `<text x="${nameWidth - 8}" y="${y + 14}" text-anchor="end">${escaped(name)}</text>`,
      `<rect x="${nameWidth}" y="${y + 2}" width="${length.toFixed(1)}" height="16" rx="2" fill="${colourOf(name)}"/>`,
      `<text x="${(nameWidth + length + 6).toFixed(1)}" y="${y + 14}">${value.toFixed(value < 0.1 ? 3 : 2)}</text>`,
    ].join('');
  });
  return svg(title, 40 + values.length * rowHeight, rows.join('\n'));
}

/** A line through values in equal steps, as SVG. */
export function lines(title: string, values: readonly Value[]): string {
  const height = 200;
  const most = Math.max(...values.map(({ value }) => value));
  const at = (value: number, index: number) => ({
    x: 60 + (index * (width - 140)) / Math.max(1, values.length - 1),
    y: 40 + (1 - value / most) * (height - 90),
  });
  const points = values.map(({ value }, index) => at(value, index));
  const labels = values.map(({ name, value }, index) => {
    const { x, y } = at(value, index);
    return [
      `<circle cx="${x}" cy="${y.toFixed(1)}" r="4" fill="#2f6fde"/>`,
      `<text x="${x}" y="${(y - 10).toFixed(1)}" text-anchor="middle">${value.toFixed(0)}</text>`,
      `<text x="${x}" y="${height - 14}" text-anchor="middle">${escaped(name)}</text>`,
    ].join('');
  });
  const path = points.map(({ x, y }) => `${x},${y.toFixed(1)}`).join(' ');
  const line = `<polyline points="${path}" fill="none" stroke="#2f6fde" stroke-width="2"/>`;
  return svg(title, height, [line, ...labels].join('\n'));
}

function svg(title: string, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<g ${style} fill="#222222">
<text x="12" y="20" font-weight="600">${escaped(title)}</text>
${content}
</g>
</svg>
`;
}

function colourOf(name: string): string {
  if (name.startsWith('Roster on SQLite')) return '#2f6fde';
  return name.startsWith('Roster') ? '#6aa0f0' : '#b5b5b5';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
