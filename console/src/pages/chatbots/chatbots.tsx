import { PageHead } from '../../ui/page-head.tsx';

export function Chatbots() {
  return <PageHead title="Chatbots" />;
}
