/** Spreadsheets run text that begins so as a formula. */
const opening = /^[\s;,"]*(?=[=+\-@＝＋－＠])|^(?=[\t\r])/
/**
 * Where the list separator of a computer is a semicolon, a cell is split there, at tabs and at its line breaks, quoted or not, and
 * what follows begins a cell, its quotes aside. A dash with a space begins a point of a list.
 */
const within = /([;\t](?:"|[^\S\r\n])*|[\r\n][\s"]*)(?=[=+@＝＋＠]|[-－](?!\s))/g

/** Text that no spreadsheet runs, however it splits the file: an apostrophe stands before what would begin a formula. */
export const asText = (text: string): string => text.replace(opening, "$&'").replace(within, "$1'")

const added = /(^[\s;,"]*|[;\t\r\n][\s"]*)'(?=[=+\-@＝＋－＠])/g

/** The text without the apostrophes that `asText` puts in. */
export const fromText = (text: string): string => text.replace(added, '$1')
