// Family names of many cultures.
import { toList } from './to-list.js';

export const SURNAMES = toList(`
Abbott Ackroyd Adams Ainsworth Aldridge Allen Anderson Appleby Armitage Arnold Ashby Ashworth Atkins Atwood Bailey
Baldwin Ballard Barker Barlow Barnes Barrett Bartlett Bates Baxter Beckett Bennett Benson Bentley Berry
Blackwell Bolton Booth Bowen Bowman Boyd Bradshaw Brady Bramwell Brennan Briggs Bristow Brooks Brown Bryant Buckley
Burgess Burke Burns Burton Butler Byrne Calder Caldwell Calloway Campbell Carlisle Carpenter Carr Carroll
Cartwright Chadwick Chambers Chandler Chapman Clarke Clayton Clements Cole Coleman Collins Compton Connolly Conway
Cooper Corbett Coulson Cowley Crane Crawford Crosby Crowther Cullen Cunningham Curtis Dalton Daniels Davenport Davies
Dawson Dempsey Denton Dickson Dixon Doherty Donovan Dougherty Doyle Drake Drummond Duffy Dunn Dyer Eastwood Eaton
Edmonds Edwards Elliott Ellis Emerson Evans Fairbanks Farley Farrell Faulkner Fenwick Ferguson Finley Fisher
Fitzgerald Fleming Fletcher Forster Fowler Fraser Fuller Gallagher Gardner Garner Garrett Gibbons Gibbs Gibson
Gilmore Glover Goddard Goodwin Graves Greenwood Grimshaw Gunn Hadley Haines Hale Halliday Hammond Hampton Hancock
Hardcastle Harding Hargreaves Harper Harrington Harrison Hartley Harvey Hastings Hawkins Hayward Henderson
Hewitt Higgins Hobbs Hodgson Holbrook Holden Holland Holloway Holmes Hooper Hopkins Horton Houghton Howell Hubbard
Hudson Humphreys Hutchins Ingham Ingram Irving Jacobs Jarvis Jenkins Jennings Johnston Jones Kavanagh Keane Kemp
Kendrick Kennedy Kerr Kirby Kirkland Knight Knowles Lambert Lancaster Langford Langley Larkin Lawson Leach Lindsay
Livingstone Lockwood Lowell Lowther Lynch Mackay Macleod Maddox Mallory Manning Marsden Marshall Mathews Maxwell
McAllister McBride McCarthy McDermott McGrath McIntyre McKenna McLean McNeil Meadows Mercer Merritt Middleton Millar
Milner Mitchell Monaghan Montgomery Moore Moran Morgan Morrison Mullins Murphy Murray Nash Nelson Newell Newton
Nicholls Nolan Norris Norton Oakley Osborne Pace Palmer Parker Parsons Patterson Payne Peacock Pearce
Pemberton Perkins Perry Pickering Pollard Pope Porter Potter Powell Prescott Preston Pritchard Quigley Quinn Radcliffe
Ramsey Randall Rawlings Redmond Reeves Reid Reynolds Richards Ridley Riley Roberts Robson Rowe Rowland Rudd Rutherford
Sanders Saunders Sawyer Sharpe Shaw Shelton Shepherd Sheridan Simmons Simpson Sinclair Skinner Slater Smith
Somerville Stafford Stanton Steele Stevens Stokes Stratton Sumner Sutherland Sutton Tate Taylor Tempest
Thorne Thornton Tilley Townsend Travers Tucker Turner Underhill Upton Vance Vaughan Vickers Wade Wakefield Walker
Wallace Walsh Warwick Waters Watkins Webb Webster Wells Weston Wheeler Whitaker Whitfield Wilcox Wilkinson
Willis Wilson Winslow Woodward Worthington Wright Wyatt Yates Yeoman

Abreu Aguilar Almeida Alonso Álvarez Aragón Arroyo Ávila Barbosa Barros Benítez Blanco Bravo Cabrera Calderón Campos
Cárdenas Cardoso Carvalho Castillo Castro Cortés Costa Cruz Delgado Díaz Domínguez Duarte Escobar Espinosa Estrada
Fernández Ferreira Figueroa Fonseca Fuentes Gallego García Gómez González Guerrero Gutiérrez Guzmán Herrera Ibáñez
Jiménez Lobo Lozano Machado Maldonado Márquez Martínez Medina Méndez Mendoza Molina Montero Morales Moreira Moreno
Muñoz Navarro Núñez Oliveira Ortega Pacheco Padilla Paredes Peña Pereira Pinto Ramírez Ribeiro Ríos Robles Rodríguez
Romero Salazar Sánchez Sandoval Santana Serrano Silva Soto Suárez Teixeira Tavares Valdez Vargas Vega Velasco Zapata

Allard Aubert Barbier Beaumont Bellamy Bernier Besson Blanchard Bonnet Boucher Bouvier Carpentier Chauvin Chevalier
Colbert Delacroix Delaunay Deschamps Dubois Duchamp Dufour Dupont Durand Fabre Faucher Fontaine Fournier Gauthier
Girard Guérin Jourdain Lacroix Lafontaine Lambertin Laurier Leclerc Lefèvre Legrand Lemaire Leroux Marchand Mercier
Moreau Morel Noël Pelletier Perrin Petit Poirier Renaud Rousseau Roussel Sauvage Simonet Tessier Vasseur Vidal

Achterberg Ahrens Albrecht Bauer Baumann Becker Bergmann Böhm Brandt Braun Bruckner Busch Dietz Eberhardt Eichler
Engel Falk Feldmann Förster Friedrichs Fuchs Gerber Graf Gruber Haas Hartmann Heller Hermann Hoffmann Huber Jansen
Kaiser Kaufmann Keller Kessler Klein Köhler Kraus Krüger Kuhn Lehmann Lindner Ludwig Maier Meyer Möller Müller Neumann
Oppermann Peters Pfeiffer Pohl Reinhardt Richter Ritter Sauer Schäfer Schmitt Schneider Schreiber Schröder Schubert
Schulz Schwarz Seidel Sommer Steiner Stein Thiele Ulbricht Vogel Wagner Weber Wegner Winkler Wolf Zeller Ziegler

Aalto Ahlström Andersson Bakker Bergström Blom Bosman Brouwer Christiansen Dahl Dekker Ekström Eriksson Friberg
Gustafsson Haugen Heikkinen Hendriks Holm Hoekstra Jakobsen Janssens Järvinen Johansson Jorgensen Karlsson Koskinen
Kuipers Laaksonen Larsen Lehtonen Lindqvist Lund Lundgren Mäkinen Mulder Nielsen Nieminen Nordström Nyberg Olsen
Pedersen Persson Postma Rasmussen Salonen Sandberg Schouten Sjöberg Smeets Solberg Sørensen Strand Svensson Thorsen
Timmermans Verhoeven Vermeer Virtanen Visser Westerberg Wikström Willems

Amato Barbieri Bellini Bianchi Bianco Brambilla Caruso Colombo Conti Costanzo DeAngelis Esposito Farina Ferrara Ferri
Fontana Gallo Gatti Giordano Greco Guerra Leone Lombardi Longo Mancini Marchetti Marino Martinelli Mazza Messina
Moretti Morelli Orlando Pagano Palumbo Parisi Pellegrini Ricci Rinaldi Rizzo Romano Rossetti Rossi Russo Sala Santoro
Serra Silvestri Testa Valenti Vitale

Adamski Babić Baran Bartoš Bielak Bondarenko Dvořák Fedorov Gajewski Georgiev Grabowski Horák Horvat Ivanov Jankowski
Jovanović Kaczmarek Kamiński Kolar Kovač Kovalenko Kowalski Kozlov Kravchenko Kučera Lebedev Lewandowski Majewski
Marković Melnyk Morozov Nikolić Novák Nowak Nowicki Orlov Pavlov Petrenko Petrović Piotrowski Pokorný Popescu Popov
Procházka Sadowski Shevchenko Sidorov Smirnov Sokolov Stanković Svoboda Szabó Szymański Tkachenko Todorov Vasilev
Volkov Wiśniewski Wójcik Zalewski Zieliński

Abdi Afolabi Agbaje Aksoy Aydin Balogun Bangura Boateng Bouzid Çelik Chukwu Demir Diallo Diop Dlamini Doğan Ebrahimi
Eze Fahmy Farouk Ghali Haddad Hakimi Hamid Hosseini Jafari Kaplan Kariuki Karimi Kaya Khalil Khan Khumalo Kone
Mahdavi Mahlangu Mansour Mbeki Mensah Mokoena Moyo Mutua Mwangi Najjar Ndiaye Ndlovu Nkosi Nwosu Obi Odhiambo Ogunleye
Okafor Okeke Okonkwo Osei Otieno Owusu Öztürk Rahimi Rahman Saleh Sesay Sow Sylla Tadesse Touré Traoré Wekesa Yıldız
Yılmaz Zaman Zidan

Agarwal Anzai Arai Bajaj Banerjee Bhatt Bose Chakraborty Chang Chatterjee Chaudhary Cheng Chopra Choi Chua Dang Das
Desai Deshmukh Dubey Endo Fernando Fujita Gandhi Ghosh Goto Gupta Han Hashimoto Hayashi Huang Inoue Ishikawa Ito Iyer
Jain Jeong Joshi Kapoor Kato Kaur Khanna Kimura Kobayashi Kulkarni Kumar Kwon Lam Liang Liu Luo Malhotra Matsuda
Mehta Menon Mishra Miyazaki Mori Mukherjee Murata Nair Nakamura Nakano Naidu Ng Nguyen Nishimura Ogawa Okada Ono
Patel Pham Pillai Rao Reddy Saito Sakamoto Sasaki Sato Seo Shah Sharma Shen Shimizu Singh Sinha Suzuki Takahashi Tan
Tanaka Tang Thakur Tran Trivedi Ueda Vasquez Verma Vo Wada Wang Watanabe Wong Xu Yamada Yamamoto Yang Yoon Yoshida
Zhang Zhao Zhou Zhu
`);
