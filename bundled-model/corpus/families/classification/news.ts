// One line of news each, by what it is about.

export const SPORT: readonly string[] = [
  '{city} wins the cup after a long match.',
  'Runner {name} sets a new record in {city}.',
  'The team of {city} lost its third game in a row.',
  'Coach {name} leaves the club on {date}.',
  'Swimmer {name} takes gold.',
  'The match in {city} begins at {time}.',
  '{name} scores two goals in the final.',
  'Cyclists race from {city} to the sea.',
  'Young tennis player {name} reaches the last round.',
  'The football club of {city} gets a new stadium.',
];

export const WEATHER: readonly string[] = [
  'Heavy rain is expected in {city}.',
  'Snow closes the roads around {city}.',
  'It will be hot and dry until {date}.',
  'A storm reaches {city} at {time}.',
  'Fog in the morning, sun in the afternoon.',
  'The wind in {city} will be strong tonight.',
  'The coldest night of the year was measured in {city}.',
  'After weeks without rain, clouds are coming to {city}.',
  'Frost is likely from {date}.',
  'Hail as big as eggs fell on {city}.',
];

export const BUSINESS: readonly string[] = [
  '{company} opens a new factory in {city}.',
  '{company} buys a rival for {amount}.',
  'Shares of {company} fall after a weak year.',
  '{name} becomes the new head of {company}.',
  '{company} raises its prices on {date}.',
  'Profits of {company} are higher than last year.',
  'The bank lends {amount} to small firms.',
  '{company} will cut {count} jobs.',
  'More people in {city} start their own firm.',
  '{company} brings the {product} to the market.',
];

export const POLITICS: readonly string[] = [
  'The mayor of {city} will step down on {date}.',
  '{name} wins the vote in {city}.',
  'Parliament talks about a new law until {time}.',
  'The council of {city} votes for a new bridge.',
  'Minister {name} visits {city}.',
  'Two parties in {city} agree to work together.',
  'The government plans a lower tax.',
  'Voters in {city} go to the polls on {date}.',
  'President {name} signs the law.',
  'The opposition asks minister {name} to resign.',
];

export const HEALTH: readonly string[] = [
  'The hospital in {city} gets a new ward for children.',
  'Doctors in {city} warn of the flu.',
  'Walking every day is good for the heart, says doctor {name}.',
  'A new vaccine will be ready on {date}.',
  '{count} nurses join the clinic in {city}.',
  'People sleep better without a phone, doctors say.',
  'Doctor {name} heals a rare illness of the skin.',
  'Free eye tests for older people in {city}.',
  'Too much sugar harms the teeth of children.',
  'The number of patients in {city} is going down.',
];

export const CULTURE: readonly string[] = [
  'The theatre in {city} shows a new play.',
  'Writer {name} gets a prize for a novel.',
  'The museum in {city} opens at {time} from now on.',
  'Singer {name} plays three concerts in {city}.',
  'An old painting was found in a cellar in {city}.',
  'The film festival in {city} starts on {date}.',
  'Painter {name} shows {count} pictures.',
  'The library of {city} lends out films as well.',
  'A new book by {name} tells about life at sea.',
  'Dancers from {city} fill the opera house.',
];

export const SCIENCE: readonly string[] = [
  'Researchers in {city} find a new kind of frog.',
  'A telescope sees a planet with two suns.',
  '{name} explains how bees find their way.',
  'A rocket with {count} small satellites takes off on {date}.',
  'Bones of a giant bird were dug up near {city}.',
  'The university of {city} builds a robot that swims.',
  'Scientists measure the deepest lake of the country.',
  'Professor {name} shows how plants warn each other.',
  'New batteries last {count} times as long, a study says.',
  'A lab in {city} grows wood from single cells.',
];

export const CRIME: readonly string[] = [
  'Thieves steal a {item} from a museum in {city}.',
  'Police in {city} catch a burglar at {time}.',
  'A bank in {city} was robbed of {amount}.',
  'The judge sends {name} to prison.',
  'Police look for a man who took {count} bikes.',
  'The trial of {name} begins on {date}.',
  'A false policeman took {amount} from an old lady.',
  'Two men broke into the office of {company}.',
  'Police find a stolen {item} in a river.',
  'The thief of {city} gave himself up.',
];
