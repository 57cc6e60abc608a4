/** The part of the OpenAPI document that is read here. */
interface Document {
  info: { title: string; description: string };
  paths: Record<string, Record<string, { summary: string; tags: string[]; security: { apiKey: string[] }[] }>>;
  tags: { name: string; description: string }[];
}

const howToAsk = `Send an API key of the project with each request under /v2: \`Authorization: Bearer YOUR_API_KEY\`. GET /v2/key shows what
a key may do; each line below ends with the scopes that the operation needs. Every field, limit and example is in the
OpenAPI document at [/openapi.json](/openapi.json); [/docs](/docs) is a page of it for people.`;

/** Outlines the API for language models, in the format of llmstxt.org. */
export function llmsText(document: string): string {
  const { info, paths, tags } = JSON.parse(document) as Document;
  const [what = '', ...rules] = info.description.split('\n\n');
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
  );
  const groups = tags.flatMap(({ name, description }) => {
    const lines = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ call, operation: { summary, security } }) => `- ${call}: ${summary}; ${needed(security)}\n`);
    return [`## ${name}`, description, lines.join('').trimEnd()];
  });
  return `${[`# ${info.title}`, `> ${what}`, howToAsk, ...rules, ...groups].join('\n\n')}\n`;
}

function needed([key]: { apiKey: string[] }[]): string {
  return key ? key.apiKey.join(', ') || 'any key' : 'no key';
}
