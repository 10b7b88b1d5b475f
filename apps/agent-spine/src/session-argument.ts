/** How every command that is about one session takes it. */
export const sessionArgument = {
  type: 'positional',
  required: true,
  description: 'The session: its ID, or its file',
} as const
