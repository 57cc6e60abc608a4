import { AppError } from '../errors.ts';
import type { Link } from '../members/invitation.ts';
import { createSignInLink } from '../sign-in/link.ts';
import { makesLinks, notePassOn, publicUrlOf } from './links.ts';
import { listing, printResult } from './output.ts';
import { group } from './parts.ts';
import { inProject, someMemberAt } from './places.ts';
import { placed, plain } from './plain.ts';
import { setupLinkOf } from './setup-link.ts';

const link = plain('link', createSignInLink, someMemberAt, {
  ...makesLinks,
  says: 'print a link that signs a member in; it works once and expires in fifteen minutes',
  examples: [
    'roster console link --member ada@example.com',
    'roster console link --member ada@example.com --project acme --json',
  ],
  text: linkText,
  after: (made, given) =>
    notePassOn(made.url, given, 'Pass the link on to this member and nobody else. It works once.'),
});

const setupLink = placed('setup-link', inProject, {
  ...makesLinks,
  says: 'print a link that lets the Owner of a project in for the first time, or makes one where there is none',
  examples: ['roster console setup-link --project acme', 'roster console setup-link --project acme --json'],
  act: async ({ store, config, projectId }, given) => {
    const made = await setupLinkOf(store, projectId, publicUrlOf(config));
    if (!made) throw new AppError('conflict', ownerSignsIn);
    printResult(made, given, () => linkText(made));
    notePassOn(made.url, given, 'The link lets anybody act as the Owner. It works once.');
  },
});

const ownerSignsIn = 'The Owner of this project can sign in; "roster console link" makes another link';

export const consoleCommand = group(
  'console',
  'let members sign in to the web console',
  ['roster console link --member ada@example.com', 'roster console setup-link --project acme'],
  [link, setupLink],
);

function linkText({ url, expires_at }: Link): string {
  return listing({ link: url, expires_at });
}
