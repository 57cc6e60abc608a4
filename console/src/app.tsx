import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';

import { focusHeading } from './layout/focus.ts';
import { Layout } from './layout/layout.tsx';
import { FirstScreen } from './pages/first-screen.tsx';
import { IfAllowed } from './pages/not-allowed.tsx';
import { NotFound } from './pages/not-found.tsx';
import { screen } from './screen.tsx';
import { SessionProvider } from './session.tsx';
import { Away } from './ui/away.tsx';
import { Toasts } from './ui/toast.tsx';

const Contacts = screen(() => import('./pages/contacts/contacts.tsx').then((page) => page.Contacts));
const Contact = screen(() => import('./pages/contact/contact.tsx').then((page) => page.Contact));
const Privacy = screen(() => import('./pages/privacy/privacy.tsx').then((page) => page.Privacy));
const Import = screen(() => import('./pages/import/import.tsx').then((page) => page.Import));
const Members = screen(() => import('./pages/members/members.tsx').then((page) => page.Members));
const Keys = screen(() => import('./pages/keys/keys.tsx').then((page) => page.Keys));
const Activity = screen(() => import('./pages/activity/activity.tsx').then((page) => page.Activity));
const Webhooks = screen(() => import('./pages/webhooks/webhooks.tsx').then((page) => page.Webhooks));
const Webhook = screen(() => import('./pages/webhooks/webhook.tsx').then((page) => page.Webhook));
const Chatbots = screen(() => import('./pages/chatbots/chatbots.tsx').then((page) => page.Chatbots));
const Project = screen(() => import('./pages/project/project.tsx').then((page) => page.Project));
const Account = screen(() => import('./pages/account/account.tsx').then((page) => page.Account));
const SignIn = screen(() => import('./pages/entry/sign-in.tsx').then((page) => page.SignIn));
const Join = screen(() => import('./pages/entry/join.tsx').then((page) => page.Join));
const Setup = screen(() => import('./pages/entry/setup.tsx').then((page) => page.Setup));

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

/** Pages that the member may open next. */
const soon = [
  Contacts,
  Contact,
  Privacy,
  Activity,
  Members,
  Keys,
  Webhooks,
  Webhook,
  Chatbots,
  Project,
  Account,
  Import,
];
const soonMs = 2_000;

/** Screens that need a session. Preloaded, so that they work while the server is unreachable. */
function Inside() {
  useEffect(() => {
    const timer = setTimeout(() => soon.forEach((one) => void one.preload()), soonMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <SessionProvider>
      <Layout>
        <IfAllowed>
          <Router onRouteChange={focusHeading}>
            <Route path="/console" component={FirstScreen} />
            <Route path="/console/contacts" component={Contacts} />
            <Route path="/console/contacts/:chatbotId/:contactId" component={Contact} />
            <Route path="/console/contacts/privacy" component={Privacy} />
            <Route path="/console/contacts/:chatbotId/:contactId/privacy" component={Privacy} />
            <Route path="/console/import" component={Import} />
            <Route path="/console/activity" component={Activity} />
            <Route path="/console/members" component={Members} />
            <Route path="/console/keys" component={Keys} />
            <Route path="/console/webhooks" component={Webhooks} />
            <Route path="/console/webhooks/:webhookId" component={Webhook} />
            <Route path="/console/chatbots" component={Chatbots} />
            <Route path="/console/project" component={Project} />
            <Route path="/console/account" component={Account} />
            <Route default component={NotFound} />
          </Router>
        </IfAllowed>
      </Layout>
    </SessionProvider>
  );
}
