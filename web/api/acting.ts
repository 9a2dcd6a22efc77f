import { createContext } from 'react'

/** Who a part of a screen calls as, where it is not the signed-in person: an account behind an inbox link. */
export interface Acting {
  /** The token of the inbox link. */
  token: string
  account: number
  programId: number
  /** IANA name. */
  timeZone: string
}

/** Reads and saves below it are made by the inbox link, and work on its program with its terminology. */
export const ActingContext = createContext<Acting | undefined>(undefined)
