// Cities of the world, and pieces that made-up towns are built from.
import { toList } from './to-list.js';

export const CITIES = toList(`
Aberdeen, Abuja, Accra, Adelaide, Aix, Albany, Algiers, Alicante, Almaty, Amman, Amsterdam, Anchorage, Ankara,
Antwerp, Arnhem, Asheville, Asunción, Athens, Atlanta, Auckland, Austin, Avignon, Baku, Baltimore, Bamako, Bangkok,
Barcelona, Bari, Basel, Bath, Beirut, Belfast, Belgrade, Bergen, Berlin, Bern, Bilbao, Birmingham, Bogotá, Boise,
Bologna, Bonn, Bordeaux, Boston, Boulder, Bournemouth, Bratislava, Bremen, Brest, Brighton, Brisbane, Bristol, Brno,
Bruges, Brussels, Bucharest, Budapest, Buffalo, Burlington, Cádiz, Cairns, Cairo, Calgary, Cambridge, Canberra,
Cape Town, Cardiff, Carlisle, Charleston, Chennai, Chester, Chicago, Chiang Mai, Christchurch, Cincinnati, Cleveland,
Cologne, Colombo, Copenhagen, Córdoba, Cork, Coventry, Cusco, Dakar, Dallas, Darwin, Delft, Denver, Detroit,
Dijon, Doha, Dortmund, Dresden, Dublin, Dunedin, Dundee, Durban, Durham, Düsseldorf, Edinburgh, Edmonton, Eindhoven,
Essen, Exeter, Faro, Fez, Florence, Frankfurt, Freiburg, Fremantle, Fukuoka, Galway, Gdańsk, Geneva, Genoa, Ghent,
Gijón, Glasgow, Gothenburg, Granada, Graz, Grenoble, Groningen, Guadalajara, Haarlem, Halifax, Hamburg, Hamilton,
Hanoi, Hanover, Harare, Hartford, Havana, Helsinki, Hereford, Hiroshima, Hobart, Honolulu, Houston, Hull, Hyderabad,
Innsbruck, Inverness, Ipswich, Istanbul, Izmir, Jaipur, Jakarta, Juneau, Kampala, Kansas City, Karachi, Kaunas, Kigali,
Kingston, Kobe, Kochi, Kraków, Kyiv, Kyoto, La Paz, Lagos, Lahore, Lancaster, Lausanne, Leeds, Leicester, Leiden,
Leipzig, Liège, Lille, Lima, Limerick, Lincoln, Linz, Lisbon, Liverpool, Ljubljana, Łódź, Lomé, London, Louisville,
Luanda, Lübeck, Lucerne, Lund, Lusaka, Lviv, Lyon, Madison, Madrid, Mainz, Málaga, Malmö, Manchester, Manila,
Mannheim, Maputo, Marburg, Marseille, Medellín, Melbourne, Memphis, Mérida, Metz, Miami, Milan, Milwaukee, Minneapolis,
Modena, Monterrey, Montevideo, Montreal, Mumbai, Munich, Münster, Nagoya, Nairobi, Nantes, Naples, Nashville,
New Orleans, Newcastle, Nice, Nijmegen, Norwich, Nottingham, Nuremberg, Oaxaca, Odense, Oporto, Orlando, Osaka, Oslo,
Ottawa, Oxford, Padua, Palermo, Palma, Paris, Parma, Perth, Philadelphia, Phoenix, Pisa, Pittsburgh, Plymouth, Porto,
Portland, Portsmouth, Potsdam, Poznań, Prague, Preston, Pretoria, Providence, Quebec, Quito, Rabat, Raleigh, Reading,
Recife, Regina, Rennes, Reno, Reykjavik, Richmond, Riga, Rochester, Rome, Rosario, Rostock, Rotterdam, Rouen,
Sacramento, Saint Paul, Salem, Salford, Salt Lake City, Salvador, Salzburg, San Francisco, San José,
Santa Fe, Santander, Santiago, Sapporo, Sarajevo, Savannah, Seattle, Sendai, Seoul, Seville, Sheffield, Siena,
Singapore, Skopje, Sofia, Southampton, Spokane, Stavanger, Stirling, Stockholm, Strasbourg, Stuttgart, Sucre,
Swansea, Sydney, São Paulo, Tacoma, Taipei, Tallinn, Tampa, Tampere, Tangier, Tartu, Tbilisi, Tirana, Toledo, Toronto,
Toulouse, Tours, Trieste, Trondheim, Tucson, Tulsa, Tunis, Turin, Turku, Uppsala, Utrecht, Valencia, Valparaíso,
Vancouver, Venice, Verona, Vienna, Vilnius, Wakefield, Warsaw, Wellington, Whitby, Wichita, Winchester,
Windhoek, Winnipeg, Worcester, Wrocław, Würzburg, Yokohama, York, Zagreb, Zaragoza, Zürich
`);

export const TOWN_STARTS = toList(`
Alder Amber Ash Barrow Beck Birch Black Brae Bram Briar Brook Cald Cedar Chal Clay Cliff Cold Copper Cran Dun East Elder
Elm Fair Fal Fen Fern Fox Gold Gran Green Grim Had Hallow Harrow Hart Haven Hazel Heath Hollow Holt Iron Kes Kings Kirk
Lang Lark Lin Long Low Mar Marsh Mel Mill Moor New North Oak Old Otter Pen Pine Quarry Raven Red Rock Rose Rowan Sal
Sand Sedge Shel Silver South Stan Stone Summer Swan Tarn Thorn Tor Under Wal West Wether White Wil Wind Wolver Wood Yew
`);

export const TOWN_ENDS = toList(`
bank beck borough bourne bridge burn bury by cliffe combe cote cross dale den don fell field firth ford gate grove ham
haven holm hurst ing lake land leigh ley low marsh mere mill minster mouth ness pool port rick ridge shaw side stead
stoke stow thorpe ton vale view wall water way well wick wold wood worth
`);
