import { protectedFolder } from '../../path/protected-folder.ts';
import type { ShellRule } from '../rule.ts';

/** Changing rights or owner of the whole system or the home folder. */
export const systemPermissions: ShellRule = {
  id: 'shell/system-permissions', action: 'deny', patternKey: 'system_permissions', approvalAction: 'run_command', sensitive: true,
  reason: 'It changes rights or owners of a whole system folder, so that the machine may stop working',
  instead: 'Name the single file that needs another right.',
  find: (form, { place }) => {
    for (const segment of form.segments) {
      if (!segment.concerns.some(({ key, detail }) => (key === 'permissions' || key === 'ownership') && detail === 'recursive')) continue;
      const hit = segment.effects.find(({ operation, target }) => operation === 'permissions' && protectedFolder(target.real.replace(/\/[*?]+$/, '') || '/', { place: { ...place, cwd: '/', roots: [] } }));
      if (hit !== undefined) return { detail: `${segment.name} ${hit.target.asked}` };
    }
    return undefined;
  },
  examples: {
    hit: ['chmod -R 777 /', 'chmod -R 000 /', 'sudo chown -R user /usr', 'chmod -R 777 ~', 'chmod --recursive 777 /etc'],
    miss: ['chmod 755 file.sh', 'chmod -R u+w dist', 'chown -R user .'],
  },
};
