/** What a page says of a call that nobody answered. */
export const call = {
  unanswered: 'The server did not answer. Check your connection and try again.',
  unreadable: 'The server could not answer this. Try again.',
  unconfirmed: 'We could not confirm that this was saved. Pressing again is safe.',
}
