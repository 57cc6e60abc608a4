import { hash } from 'node:crypto';

import { bodyOf, type Sender } from './exchange.ts';
import type { Page } from './router.ts';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { width: min(26rem, 100vw - 3rem); }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
p { margin: 0 0 1.5rem; }
button { font: inherit; padding: .6rem 1.4rem; border: 0; border-radius: .4rem; background: #1d4ed8; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid #93c5fd; outline-offset: 2px; }
button[disabled] { opacity: .6; cursor: default; }
`;

// The token is taken out of the address at once, so that it stays in no history.
const script = `
const say = (title, text) => {
  document.querySelector('h1').textContent = title;
  document.querySelector('p').textContent = text;
};
addEventListener('hashchange', () => location.reload());
const button = document.querySelector('button');
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
if (token === '') {
  say('This link is not complete', 'Open the whole link of your invitation, with everything after the #.');
  button.hidden = true;
}
button.addEventListener('click', async () => {
  button.disabled = true;
  try {
    const answer = await fetch('v2/invitations/accept', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    if (answer.ok) {
      const { data } = await answer.json();
      say('Welcome to ' + data.project.name, 'You have joined as ' + data.email + '. You can close this page.');
      button.hidden = true;
    } else if (answer.status === 404 || answer.status === 422) {
      say('This link cannot be used', 'It was used already, has expired or was withdrawn. If you have joined, you need nothing more; otherwise ask for a new link.');
      button.hidden = true;
    } else {
      say('This did not work', 'Please wait a minute, and try again.');
    }
  } catch {
    say('This did not work', 'Roster cannot be reached. Check the connection, and try again.');
  }
  button.disabled = false;
});
`;

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Join a project - Roster</title>
<link rel="icon" href="favicon.ico">
<style>${style}</style>
<main aria-live="polite">
<h1>Join the project</h1>
<p>Somebody has invited you to work on a project. Join to accept.</p>
<button type="button">Join</button>
<noscript>This page needs JavaScript.</noscript>
</main>
<script>${script}</script>
</html>
`;

const sourceOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

// Nothing runs but what is in the page, and nothing loads but the favicon.
const contentSecurityPolicy = `default-src 'none'; script-src ${sourceOf(script)}; style-src ${sourceOf(style)}; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The page that an invitation leads to. Its link has the token in the fragment, which the browser keeps to itself. */
export function joinPage({ send }: Pick<Sender, 'send'>): Page {
  const body = bodyOf(html);
  const headers = [
    'content-type',
    'text/html; charset=utf-8',
    'content-security-policy',
    contentSecurityPolicy,
    'referrer-policy',
    'no-referrer',
  ];
  return { path: '/join', serve: async (exchange) => send(exchange, 200, headers, body) };
}
