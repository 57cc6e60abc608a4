import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { exec } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';

import { focusHeading } from './layout/focus.ts';
import { Layout } from './layout/layout.tsx';
import { IfAllowed, NotFound } from './pages/elsewhere.tsx';
import { screen } from './screen.tsx';
import { askSession, SessionProvider } from './session.tsx';
import { Away } from './ui/away.tsx';
import { Toasts } from './ui/toast.tsx';
import { askChatbots } from './use-chatbots.ts';

const Home = screen(() => import('./pages/home/home.tsx').then((page) => page.Home));
const Contacts = screen(() => import('./pages/contacts/contacts.tsx').then((page) => page.Contacts));
const Contact = screen(() => import('./pages/contact/contact.tsx').then((page) => page.Contact));
const Privacy = screen(() => import('./pages/privacy/privacy.tsx').then((page) => page.Privacy));
const Duplicates = screen(() => import('./pages/duplicates/duplicates.tsx').then((page) => page.Duplicates));
const Import = screen(() => import('./pages/import/import.tsx').then((page) => page.Import));
const Members = screen(() => import('./pages/members/members.tsx').then((page) => page.Members));
const Keys = screen(() => import('./pages/keys/keys.tsx').then((page) => page.Keys));
const Activity = screen(() => import('./pages/activity/activity.tsx').then((page) => page.Activity));
const Webhooks = screen(() => import('./pages/webhooks/webhooks.tsx').then((page) => page.Webhooks));
const Webhook = screen(() => import('./pages/webhooks/webhook.tsx').then((page) => page.Webhook));
const Chatbots = screen(() => import('./pages/chatbots/chatbots.tsx').then((page) => page.Chatbots));
const Project = screen(() => import('./pages/project/project.tsx').then((page) => page.Project));
const Account = screen(() => import('./pages/account/account.tsx').then((page) => page.Account));
const SignIn = screen(() => import('./pages/entry/screens.ts').then((page) => page.SignIn));
const Join = screen(() => import('./pages/entry/screens.ts').then((page) => page.Join));
const Setup = screen(() => import('./pages/entry/screens.ts').then((page) => page.Setup));

/** Screens that need a session, the likely ones first. */
const inside = {
  '/console': Home,
  '/console/contacts': Contacts,
  '/console/contacts/privacy': Privacy,
  '/console/contacts/:chatbotId/:contactId': Contact,
  '/console/contacts/:chatbotId/:contactId/privacy': Privacy,
  '/console/duplicates': Duplicates,
  '/console/activity': Activity,
  '/console/members': Members,
  '/console/keys': Keys,
  '/console/webhooks': Webhooks,
  '/console/webhooks/:webhookId': Webhook,
  '/console/chatbots': Chatbots,
  '/console/project': Project,
  '/console/account': Account,
  '/console/import': Import,
};
const screensInside = Object.entries(inside);

/** Links to anything else, such as /docs, are left to the browser. */
const ownPaths = /^\/(?:console|sign-in|join|setup)(?:[/?#]|$)/;

export function App() {
  return (
    <LocationProvider scope={ownPaths}>
      <ErrorBoundary>
        <Pages />
        <Away />
      </ErrorBoundary>
    </LocationProvider>
  );
}

const entryPaths = new Set(['/sign-in', '/join', '/setup']);

function Pages() {
  return entryPaths.has(useLocation().path) ? <Outside /> : <Inside />;
}

/** The pages by which somebody gets in. */
function Outside() {
  return (
    <>
      <Router>
        <Route path="/sign-in" component={SignIn} />
        <Route path="/join" component={Join} />
        <Route path="/setup" component={Setup} />
      </Router>
      <Toasts />
    </>
  );
}

/** Asks at once for all that the address wants: its script, the session and the chatbots. */
export function begin(): void {
  if (!location.pathname.startsWith('/console')) return;
  askSession();
  askChatbots();
  void screensInside.find(([path]) => exec(location.pathname, path))?.[1].preload();
}

const soonMs = 2_000;

/** The other screens come a little later, so that they work while the server is away. */
function Ahead() {
  useEffect(() => {
    const timer = setTimeout(() => screensInside.forEach(([, component]) => void component.preload()), soonMs);
    return () => clearTimeout(timer);
  }, []);
  return null;
}

function Inside() {
  return (
    <SessionProvider>
      <Ahead />
      <Layout>
        <IfAllowed>
          <Router onRouteChange={focusHeading}>
            {screensInside.map(([path, component]) => (
              <Route key={path} path={path} component={component} />
            ))}
            <Route default component={NotFound} />
          </Router>
        </IfAllowed>
      </Layout>
    </SessionProvider>
  );
}
