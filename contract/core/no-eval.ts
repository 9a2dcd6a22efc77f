import { config } from 'zod'

// Imported before the first schema is made: in a browser the content security policy forbids code made from text, and even
// the library's try is reported.
config({ jitless: 'document' in globalThis })
