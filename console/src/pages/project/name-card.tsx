import { useState } from 'preact/hooks';

import { roster } from '../../api.ts';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/failed.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../use-action.ts';

export function NameCard() {
  const { project } = useSession();
  const [name, setName] = useState(project.name);
  const input = { name: name.trim() };
  const action = useAction(async () => {
    await roster.updateProjectSettings(input);
    toast('Project renamed');
  });
  return (
    <Card title="Name">
      <Form class="form" perform={action.run}>
        <div class="narrow">
          <TextField
            label="Project name"
            value={name}
            onValue={setName}
            maxLength={255}
            error={action.errorOf('name')}
            required
          />
        </div>
        <ErrorNote error={action.errorBesides('name')} />
        <div class="form-end">
          <Button type="submit" disabled={input.name === project.name || input.name === ''} isBusy={action.isBusy}>
            Save
          </Button>
        </div>
      </Form>
    </Card>
  );
}
