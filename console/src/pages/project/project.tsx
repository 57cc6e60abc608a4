import { PageHead } from '../../ui/page-head.tsx';

export function Project() {
  return <PageHead title="Project" />;
}
