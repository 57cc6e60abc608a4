/** What a pipe takes in one piece (PIPE_BUF of Linux), whoever else writes to it. */
const bytesMax = 4_096;
const textMax = 500;

/**
 * A JSON line that fits into one write. Where several processes write to one pipe, a longer one may have another's
 * line in its middle; so its long texts, such as a stack, are cut, and if that is not enough it keeps only what finds it.
 */
export function wholeLine(line: string): string {
  // A character is three bytes at most.
  if (line.length * 3 <= bytesMax || Buffer.byteLength(line) <= bytesMax) return line;
  const cut = `${JSON.stringify(JSON.parse(line), (_key, value: unknown) => (typeof value === 'string' ? value.slice(0, textMax) : value))}\n`;
  if (Buffer.byteLength(cut) <= bytesMax) return cut;
  const { level, time, pid, request_id, msg } = JSON.parse(cut) as Record<string, unknown>;
  return `${JSON.stringify({ level, time, pid, request_id, msg, cut: true })}\n`;
}
