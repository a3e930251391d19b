/** What people's roles are called. */
import { words } from '.'

/** A role by its name, such as pit manager for pit-manager. */
export function roleName(role: string): string {
  return words.shell.roles[role] ?? role
}
