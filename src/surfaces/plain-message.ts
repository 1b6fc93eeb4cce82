/**
 * Text of the agent, of a file's name or of an error, for a message or an input box. The editor draws
 * `[text](command:...)` there as a link that runs the command, and hides the address: such a link is taken apart.
 */
export function plainMessage(text: string): string {
  return text.replaceAll('](', '] (');
}
