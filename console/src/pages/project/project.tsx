import { curlFor } from '../../curl.ts';
import { useSession } from '../../session.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { NameCard } from './name-card.tsx';

import './project.css';
import { UsageCard } from './usage-card.tsx';

export function Project() {
  const { can, project } = useSession();
  return (
    <>
      <PageHead
        title="Project"
        code={curlFor('updateProjectSettings', { name: project.name })}
        about={
          <span class="row row-tight">
            <span class="mono">{project.id}</span>
            <CopyButton text={project.id} label="Copy the project id" isIcon />
          </span>
        }
      />
      <div class="cards">
        {can('project:write') && <NameCard />}
        <UsageCard />
      </div>
    </>
  );
}
