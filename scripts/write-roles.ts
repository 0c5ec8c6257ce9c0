/** `npm run roles`: makes the roles of deploy/kubernetes anew from the table of permissions. */
import { writeFileSync } from 'node:fs';
import { deployedRoles, roleText } from './roles.ts';

for (const role of deployedRoles())
  writeFileSync(new URL(`../deploy/kubernetes/${role.file}`, import.meta.url), roleText(role));
