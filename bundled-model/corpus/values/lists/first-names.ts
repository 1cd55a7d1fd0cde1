// Given names of many cultures; spelled as people write them, accents included.
import { toList } from './to-list.js';

export const FIRST_NAMES = toList(`
Aaron Abigail Adam Adrian Agnes Alan Albert Alfred Alice Alison Amanda Amy Andrew Angela Anna Anthony Arthur
Ashley Audrey Austin Barbara Barry Beatrice Benjamin Bernard Beth Beverly Blake Bradley Brandon Brenda Brian Bridget
Bruce Bryan Caleb Cameron Carl Carol Caroline Catherine Cecilia Charles Cheryl Chloe Christine
Christopher Clara Clifford Colin Connor Cynthia Daisy Daniel Darren David Deborah Dennis Derek Diana Donald
Donna Dorothy Douglas Duncan Dylan Edith Edward Eileen Elaine Eleanor Elijah Elizabeth Ellen Elliot Emily Emma Eric
Ernest Ethan Eugene Evelyn Fiona Florence Frances Frederick Gabriel Gail Gareth Gary Gavin Geoffrey
Gerald Gilbert Glenn Gloria Gordon Graham Gregory Hannah Harold Harriet Harry Helen Henry Herbert
Howard Hugh Ian Irene Isaac Isabel Jack Jacob James Jane Janet Jason Jasper Jean Jeffrey Jennifer Jeremy
Jessica Jill Joan Joanna Joel John Jonathan Jordan Joseph Joshua Joyce Judith Julia Julian Justin Karen Kathleen Keith
Kelly Kenneth Kevin Kimberly Kyle Laura Lauren Lawrence Leonard Leslie Lewis Liam Lillian Linda Logan Louis Louise
Lucas Lucy Luke Lydia Lynn Malcolm Margaret Marilyn Martha Martin Mary Matthew Megan Melissa Michael
Michelle Mildred Miranda Molly Monica Nancy Naomi Natalie Nathan Neil Nicholas Nicole Nigel Noah Nora Norman Oliver
Olivia Oscar Owen Pamela Patricia Patrick Paula Penelope Peter Philip Phoebe Rachel Ralph Raymond Rebecca Richard
Robert Rodney Roger Ronald Rosemary Russell Ruth Samuel Sandra Sarah Scott Sean Sharon Sheila Shirley Simon
Sophie Spencer Stanley Stephanie Stephen Stuart Susan Sylvia Tamara Teresa Terry Theodore Thomas Timothy Tracy Trevor
Tyler Valerie Vanessa Victor Vincent Virginia Walter Wayne Wendy William Zachary Zoe

Alejandro Amparo Andrés Araceli Beatriz Camila Carlos Carmen Catalina César Cristina Diego Dolores Elena Emiliano
Enrique Esteban Eva Felipe Fernando Gonzalo Graciela Guadalupe Héctor Ignacio Inés Isabela Iván Javier Jesús Joaquín
Jorge José Juan Leticia Lorena Lucía Luis Luz Manuel Marcela Marcos María Mariana Mateo Mercedes Miguel Nicolás Paloma
Pablo Pedro Pilar Rafael Ramón Raquel Ricardo Rocío Rodrigo Rosa Salvador Santiago Sofía Teodoro Valentina Ximena

Afonso Anaïs Antoine Aurélie Benoît Camille Céline Chantal Clément Delphine Didier Édouard Élodie Émile Étienne
Florian Françoise Gaëlle Gaspard Geneviève Guillaume Hélène Hugo Jérôme Joana João Laurent Léa Loïc Luc Lúcia
Maëlle Manon Marceau Margaux Mathilde Mélanie Noémie Océane Odile Pascal Philippe Quentin Rémi Romain Solène Sylvain
Thiago Thibault Vasco Véronique Xavier Yves

Anke Annika Astrid Axel Bärbel Birgit Björn Dagmar Dietrich Elke Ernst Frieda Friedrich Gisela Greta Günter Hanna
Hannelore Hans Heike Heinrich Helga Ingrid Jens Johannes Jörg Jürgen Karsten Katja Klaus Konrad Lars Leonie Lieselotte
Lukas Maren Mechthild Moritz Niklas Ottilie Petra Rainer Rolf Rüdiger Sabine Sigrid Silke Stefan Svenja Tobias Torsten
Ulrich Ursula Uwe Volker Werner Wolfgang Yannick

Aino Åsa Bjarne Bram Dirk Eero Eino Elin Esben Femke Freja Frode Gunnar Hedda Henrik Ilse Inga Jasmijn Joost Jukka
Kaisa Kerstin Knut Kristoffer Leif Liv Maarten Magnus Maja Marit Marieke Mette Mikko Morten Niels Noor Olav Olof Päivi
Pieter Pirkko Ragnhild Rasmus Riikka Rutger Saskia Signe Sigurd Sissel Sjoerd Solveig Søren Sven Tjeerd Tuomas Tuula
Ville Wouter Yrsa

Alessandro Alessia Andrea Bartolomeo Bianca Bruno Chiara Claudio Cosimo Daniela Davide Donatella Emanuele Enzo
Fabrizio Federica Filippo Franco Gabriella Giacomo Gianna Giorgia Giovanni Giulia Giuseppe Ilaria Lorenzo Luca Marco
Massimo Matteo Nicoletta Ornella Paolo Pietro Raffaele Renata Riccardo Salvatore Serena Silvia Simona Stefano Tommaso
Umberto Vittoria

Agnieszka Aleksander Anatol Andrzej Bogdan Bohdan Bożena Dagny Danuta Darya Dimitri Dragan Dušan Ewa František
Galina Goran Grigori Grzegorz Halina Igor Ilona Irina Ivana Jadwiga Jakub Jan Jaroslav Jelena Kamil Karel Kateryna
Katarzyna Krzysztof Larisa Ljubica Lubomir Ludmila Lukáš Magdalena Małgorzata Marek Mateusz Milan Milena Mirela
Mirjana Nadia Natasha Nikolai Oksana Oleg Olga Ondřej Pavel Petar Piotr Radoslav Roman Ruslan Sanja Sergei Slavica
Stanisław Svetlana Taras Tatiana Tomasz Vera Vesna Viktor Vladimir Wojciech Yuri Zbigniew Zdeněk Zofia Zoran

Abdullah Ahmed Aisha Alia Amina Amir Ayşe Bahar Bilal Cem Deniz Elif Emre Farah Farid Fatima Ferhat Gül Hakan Hamza
Hanan Hassan Huda Ibrahim Jamal Karim Khadija Khalid Layla Leila Mahmoud Maryam Mehmet Mina Mohsen Mustafa Nabil
Nadim Nasrin Nasser Nour Omar Orhan Parisa Rania Reza Rima Samira Selim Selma Shirin Soraya Tariq Walid Yasmin Yusuf
Zahra Zainab Zeynep

Abena Adaeze Adebayo Akosua Amara Babajide Chiamaka Chidi Chinedu Desta Ekene Emeka Fatou Femi Folake Gathoni Hadiza
Ifeoma Imani Jabari Kamau Kofi Kwabena Kwame Lindiwe Makena Mamadou Mbali Mosi Naledi Ngozi Nia Njeri Nkechi Obinna
Olumide Oluwaseun Ousmane Palesa Sefu Sibusiso Sipho Tendai Thabo Thandiwe Tunde Wanjiru Yaa Zanele Zola

Aarav Aditi Ajay Akash Amit Anand Ananya Anil Anjali Arjun Asha Ashok Bhavna Deepa Deepak Devika Divya Farhan Gaurav
Geeta Harish Indira Ishaan Jaya Kamala Kavita Kiran Lakshmi Lata Madhuri Manish Meena Mohan Naveen Neha Nikhil Nisha
Padma Pooja Prakash Pranav Priya Rajesh Rakesh Ravi Rekha Ritu Rohan Sanjay Sarita Shanti Shreya Siddharth Sunil
Sunita Suresh Tanvi Usha Uma Varun Vijay Vikram Yash

Akiko Akira Aiko Ayumi Chen Chiyo Daichi Daiki Emiko Fang Fumiko Hana Haruki Haruto Hideo Hiroshi Hui Hyun Jia Jin
Jisoo Jiwoo Joon Jun Kaito Kazuo Keiko Kenji Kenta Lan Lei Lian Ling Mai Makoto Masako Mei Michiko Midori Minh Minjun
Naoko Noriko Phuong Qiang Ren Riku Ryota Sakura Satoshi Seojun Shinji Shu Soojin Sora Sumin Takashi Takeshi Tao Thanh
Thuy Tomoko Tuan Wei Xiang Xiu Yan Yasuo Yoko Yoshi Yuki Yumi Zhen

Aroha Ataahua Eti Gethin Hemi Iolana Isla Kai Kalani Keoni Lani Leilani Malia Mere Moana Nikau Rangi Sione Tama Tane
Tevita Tui Wiremu Aoife Brónach Caoimhe Cian Ciara Cormac Deirdre Eoin Fergus Gwen Ieuan Kieran Maeve Niamh Oisín
Padraig Rhys Róisín Ruairí Saoirse Siân Siobhán
`);
