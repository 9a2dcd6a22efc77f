const list = (text: string): string[] => text.trim().split(/\s*,\s*/)

export const firstNames =
  list(`Keisha, Rosalind, Oluwaseun, Quentin, Farah, Beatriz, Luca, Elias, Amara, Grace, Nadia, Maribel,
  Priya, Daniela, Caleb, Jonas, Theodora, Marguerite, Dana, Miriam, Andre, Bianca, Cedric, Delphine, Emeka, Fiona, Gustavo, Hana,
  Ingrid, Jamal, Katya, Leandro, Mei, Noor, Oscar, Paloma, Rashid, Simone, Tomas, Uma, Viktor, Wren, Ximena, Yusuf, Zofia, Aiden,
  Brielle, Carlos, Devon, Esther, Felix, Gabriela, Hugo, Imani, Jasper, Kiran, Lucia, Malik, Nina, Owen, Petra, Quinn, Ruben, Sana,
  Thea, Ulises, Vera, William, Yara, Zain`)

export const lastNames =
  list(`Abernathy, Achterberg, Adebayo-Fitzgerald, Bellweather, Haddad, Lindqvist, Marchetti-Rhodes, Nakamura,
  Okafor, Pemberton, Petrosyan, Quintanar, Raghunathan, Reyes-Montoya, Thornbury, Varga, Whitfield, Castellane, Sandoval-Villanueva,
  Lindgren-Baptiste, Albescu, Brennan, Castillo, Dubois, Eriksen, Fontaine, Gallagher, Hoang, Ibrahim, Jankowski, Kowalczyk, Larsen,
  Mbeki, Nguyen, Oliveira, Park, Quigley, Rosenthal, Sato, Tanaka, Ueda, Vasquez, Wojcik, Xu, Yamamoto, Zamora, Ashworth, Bergstrom,
  Carvalho, Delacroix, Echeverria, Farrell, Grimaldi, Hartley, Ivanova, Jefferson, Kaplan, Lombardi, Mendoza, Novak, O'Sullivan,
  Pereira, Ramirez, Singh, Torres, Ulrich, Villareal, Weber, Yilmaz, Zielinski`)

/** The sites of the demo's first program: name, code, city, state, latitude, longitude, type. */
export const harborSites: readonly (readonly [string, string, string, string, number, number])[] = [
  ['Harbor General Hospital', 'HGH', 'New Bedford', 'MA', 41.6362, -70.9342],
  ['St. Brannoc Medical Center', 'SBM', 'Fall River', 'MA', 41.7015, -71.155],
  ['Mercy Ridge Hospital', 'MRH', 'Taunton', 'MA', 41.9001, -71.0898],
  ['Lakeside Children’s Hospital', 'LCH', 'Providence', 'RI', 41.824, -71.4128],
  ['Eastgate Outpatient Center', 'EOC', 'Newport', 'RI', 41.4901, -71.3128],
  ['North Shore Imaging', 'NSI', 'Plymouth', 'MA', 41.9584, -70.6673],
  [
    'Taunton Spine & Joint Institute of Southeastern Massachusetts',
    'TSJ',
    'Brockton',
    'MA',
    42.0834,
    -71.0184,
  ],
  ['Cape Alder Veterans Hospital', 'CAV', 'Hyannis', 'MA', 41.6525, -70.2881],
  ['Old Colony Women’s Imaging', 'OCW', 'Weymouth', 'MA', 42.2209, -70.9395],
  ['Bayview Orthopedic Hospital', 'BOH', 'Boston', 'MA', 42.3601, -71.0589],
  ['Simulation Laboratory', 'SIM', 'New Bedford', 'MA', 41.6288, -70.9276],
]

export const siteStems =
  list(`Riverside, Summit, Valley, Good Samaritan, Holy Cross, Pine Hollow, Cedar Point, Westbrook, Northgate,
  Lakeview, Oak Street, Highland, Memorial, Unity, Prairie, Bluewater, Stonebridge, Silver Lake, Maplewood, Grandview, Harborview,
  Elm Park, Fairmont, Redwood, Clearwater, Sunset, Union, Cathedral, Wheaton, Ashland`)
export const siteKinds = list(
  'Hospital, Medical Center, Imaging, Clinic, Outpatient Center, Women’s Health, Orthopedics, Surgery Center',
)

export const collegeStems = list(
  'Riverton, Ashford, Pinecrest, Granite, Wellington, Orchard, Eastlake, Monroe, Franklin, Belmont',
)
export const fields =
  list(`Radiography, Diagnostic Medical Sonography, Nuclear Medicine Technology, Magnetic Resonance Imaging,
  Radiation Therapy, Cardiovascular Technology, Nursing, Respiratory Care, Surgical Technology, Dental Hygiene, Medical Dosimetry`)

/** Middles of the regions that larger installations spread over: city, state, latitude, longitude, time zone. */
export const regions: readonly (readonly [string, string, number, number, string])[] = [
  ['Columbus', 'OH', 39.96, -83.0, 'America/New_York'],
  ['Nashville', 'TN', 36.16, -86.78, 'America/Chicago'],
  ['Phoenix', 'AZ', 33.45, -112.07, 'America/Phoenix'],
  ['Seattle', 'WA', 47.61, -122.33, 'America/Los_Angeles'],
  ['Denver', 'CO', 39.74, -104.99, 'America/Denver'],
  ['Austin', 'TX', 30.27, -97.74, 'America/Chicago'],
  ['Raleigh', 'NC', 35.78, -78.64, 'America/New_York'],
]
